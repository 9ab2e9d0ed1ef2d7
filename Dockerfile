# Muster in a container. Build: docker build -t muster . — see docs/operating.md, "In a container".

# npm, and a Node to run it on; the Node that Muster runs on comes with npm, as package-lock.json pins it.
FROM node:24-bookworm-slim AS install
WORKDIR /opt/muster
COPY package.json package-lock.json .npmrc ./
COPY bin bin
RUN NODE_ENV=production bin/node --version
COPY src src
COPY web/dist web/dist
# What is compiled here is kept beside it, so that a container starts sooner; nobody builds addons with its headers.
RUN MUSTER_DATA_DIR=/tmp/warm bin/muster migrate && rm -r /tmp/warm node_modules/node-linux-*/include

# glibc, as that Node wants it: not Alpine.
FROM debian:bookworm-slim
COPY --from=install /opt/muster /opt/muster
COPY LICENSE /opt/muster/
RUN install --directory --owner=10001 --group=10001 --mode=0700 /data
ENV NODE_ENV=production MUSTER_HOST=0.0.0.0 MUSTER_PORT=8080 MUSTER_DATA_DIR=/data
USER 10001:10001
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["/opt/muster/bin/node", "--eval", "fetch(`http://127.0.0.1:${process.env.MUSTER_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/opt/muster/bin/muster"]
CMD ["serve"]
