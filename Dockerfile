# The server and its page in one image; PostgreSQL is another container (docker-compose.yml), reached by DATABASE_URL.

FROM rust:1-bookworm AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends npm \
 && rm -rf /var/lib/apt/lists/* \
 && rustup target add wasm32-unknown-unknown
WORKDIR /src
COPY . .
RUN cargo build --locked --release --package backend
RUN cargo xtask page

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --create-home --home-dir /var/lib/suanzhang suanzhang
COPY --from=build /src/target/release/suanzhang /usr/local/bin/suanzhang
COPY --from=build /src/dist /usr/share/suanzhang/page
COPY --from=build /src/seed/example /usr/share/suanzhang/example
ENV SUANZHANG_PAGE_DIR=/usr/share/suanzhang/page \
    SUANZHANG_EXAMPLE_DIR=/usr/share/suanzhang/example \
    SUANZHANG_DATA_DIR=/var/lib/suanzhang \
    SUANZHANG_LISTEN=0.0.0.0:8080
USER suanzhang
EXPOSE 8080
CMD ["suanzhang", "serve"]
