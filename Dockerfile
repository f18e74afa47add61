# The command and the functions, in one image. Build dist/ first, then the image:
#
#   npm ci && npm run build
#   docker build -t tenantplane .                                          # the command
#   docker build -t tenantplane/render-tenant --target render-tenant .     # a KRM function: same layers, another entry
#
# BASE is any image with Node 20.19 or newer on its PATH. The image needs no network, no writable root and no root user.
ARG BASE=node:24-slim

FROM ${BASE} AS base
LABEL org.opencontainers.image.title="tenantplane" \
      org.opencontainers.image.description="Renders tenant packages into host manifests that carry the reason for each object" \
      org.opencontainers.image.licenses="Apache-2.0"
# kpt runs functions as nobody: readable for all, whatever the builder's umask was
COPY --chmod=755 dist/ /opt/tenantplane/
COPY --chmod=755 LICENSE /opt/tenantplane/LICENSE
ENV NODE_ENV=production
USER 65532:65532
WORKDIR /tmp

FROM base AS render-tenant
ENTRYPOINT ["node", "/opt/tenantplane/tenantplane-fn.mjs", "render-tenant"]

FROM base AS render-sync
ENTRYPOINT ["node", "/opt/tenantplane/tenantplane-fn.mjs", "render-sync"]

FROM base AS render-isolation
ENTRYPOINT ["node", "/opt/tenantplane/tenantplane-fn.mjs", "render-isolation"]

FROM base AS validate-tenant
ENTRYPOINT ["node", "/opt/tenantplane/tenantplane-fn.mjs", "validate-tenant"]

FROM base AS tenantplane
WORKDIR /work
ENTRYPOINT ["node", "/opt/tenantplane/tenantplane.mjs"]
