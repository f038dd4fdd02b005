# omnigraph-server and omnigraph on a small Debian, for a user without rights.
#
#   docker build -t omnigraph-server:local .
#   docker run -p 8080:8080 -e OMNIGRAPH_TARGET_URI=s3://bucket/team.omni -e OMNIGRAPH_SERVER_BEARER_TOKEN=… \
#     -e AWS_REGION=… -e AWS_ACCESS_KEY_ID=… -e AWS_SECRET_ACCESS_KEY=… omnigraph-server:local
#
# Everybody can reach what listens on 0.0.0.0, so the server refuses to start without tokens. Without a policy a token
# may do nothing: name one as `policy.file` of omnigraph.yaml, or set OMNIGRAPH_ALLOW_ALL_TOKENS=1. It takes
# OMNIGRAPH_TARGET_URI, or OMNIGRAPH_CONFIG with OMNIGRAPH_TARGET, and any argument of its command line. With
# --build-arg FEATURES=omnigraph-server/aws tokens can be in AWS Secrets Manager.

FROM public.ecr.aws/docker/library/rust:1.95-bookworm AS build
WORKDIR /src
COPY scripts/build-tools scripts/build-tools
RUN ./scripts/build-tools
COPY . .
ARG FEATURES=""
# What cargo downloads and builds stays on the machine that builds, not in a layer.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target \
    cargo build --profile dist --locked -p omnigraph-cli -p omnigraph-server --features "$FEATURES" \
    && install -D -m 755 -t /built target/dist/omnigraph target/dist/omnigraph-server

FROM public.ecr.aws/debian/debian:bookworm-slim
RUN apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends ca-certificates curl \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --user-group --no-create-home --home-dir /var/lib/omnigraph --shell /usr/sbin/nologin omnigraph \
    && install -d -o omnigraph -g omnigraph /var/lib/omnigraph
COPY --from=build /built/omnigraph /built/omnigraph-server /usr/local/bin/
COPY LICENSE-MIT LICENSE-APACHE /usr/share/doc/omnigraph/
USER omnigraph
# Where graphs on a disk are mounted, and where omnigraph.yaml is looked for.
WORKDIR /var/lib/omnigraph
ENV OMNIGRAPH_BIND=0.0.0.0:8080
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 \
    CMD curl -fsS "http://127.0.0.1:${OMNIGRAPH_BIND##*:}/healthz" || exit 1
ENTRYPOINT ["omnigraph-server"]
