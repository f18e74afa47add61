/**
 * The one script of the page: filters, what links open, and pages that are packed. Everything that is essential is there without
 * it. It is written for browsers as it stands, and asks nothing of a network. What it puts into the page was escaped when the
 * page was made, by the function that escaped the rest.
 */
export const SCRIPT: string = `'use strict';
(() => {
  const $ = (id) => document.getElementById(id);
  const objects = [...document.querySelectorAll('.o')];
  const tenants = [...document.querySelectorAll('.tenant')];
  const packed = $('packed');
  let pages;
  const unpack = () => pages ??= (async () => {
    const bytes = Uint8Array.from(atob(packed.textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return JSON.parse(await new Response(stream).text());
  })();
  const fill = async (object) => {
    if (packed === null || object.lastElementChild.tagName !== 'SUMMARY') return;
    const page = (await unpack())[object.id].replaceAll('="#~', '="#' + object.id).replaceAll(' id="~', ' id="' + object.id);
    if (object.lastElementChild.tagName === 'SUMMARY') object.insertAdjacentHTML('beforeend', page);
  };
  const open = (element) => {
    for (let at = element; at !== null; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  };
  const follow = async () => {
    const id = location.hash.slice(1);
    const object = /^o\\d+/.exec(id);
    if (object !== null && $(object[0]) !== null) {
      $(object[0]).classList.remove('off');
      await fill($(object[0]));
    }
    const target = id === '' ? null : $(id);
    if (target === null) return;
    open(target);
    if (target.classList.contains('only')) tenants.forEach((tenant) => { if (tenant.querySelector('.' + id.slice(5)) !== null) tenant.open = true; });
    target.scrollIntoView();
    if (/^o\\d+$/.test(id)) target.firstElementChild.focus({ preventScroll: true });
    else if (target.tabIndex < 0) target.focus({ preventScroll: true });
  };
  document.addEventListener('toggle', (event) => {
    if (event.target.open && event.target.classList.contains('o')) fill(event.target);
  }, true);
  addEventListener('hashchange', follow);
  const filter = (input, items, show) => {
    if (input === null) return;
    input.parentElement.hidden = false;
    let timer;
    const apply = () => {
      const words = input.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
      let found = 0;
      for (const [item, text] of items()) {
        const hit = words.every((word) => text.includes(word));
        item.classList.toggle('off', !hit);
        if (hit) found += 1;
      }
      show(found, words.length > 0);
    };
    input.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(apply, 120); });
    input.addEventListener('keydown', (event) => { if (event.key === 'Escape') { input.value = ''; apply(); } });
  };
  const lazy = (make) => { let made; return () => made ??= make(); };
  const text = (element) => element.textContent.toLowerCase();
  filter($('find'), lazy(() => objects.map((o) => [o, text(o.firstElementChild) + ' ' + text(o.closest('.tenant').firstElementChild)])), (found, searching) => {
    $('found').textContent = searching ? found + (found === 1 ? ' object' : ' objects') : '';
    for (const tenant of tenants) {
      const hits = tenant.querySelector('.o:not(.off)') !== null;
      tenant.classList.toggle('off', !hits);
      if (searching && hits && found <= 200) tenant.open = true;
    }
  });
  filter($('tenants'), lazy(() => [...document.querySelectorAll('.tenants li, .rows tr')].map((li) => [li, text(li)])), () => {});
  follow();
})();
`;
