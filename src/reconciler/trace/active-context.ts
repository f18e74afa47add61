import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api';

/** Which span is under way, along the promises of each pass: OpenTelemetry's own package for that patches event emitters as well. */
export function activeContext(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (context, fn, thisArg, ...args) => storage.run(context, () => fn.apply(thisArg, args)),
    bind: (context, target) => {
      if (typeof target !== 'function') return target;
      const bound = (...args: unknown[]): unknown => storage.run(context, () => Reflect.apply(target, undefined, args));
      return bound as typeof target;
    },
    enable: () => manager,
    disable: () => {
      storage.disable();
      return manager;
    },
  };
  return manager;
}
