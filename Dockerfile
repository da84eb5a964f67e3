# Bot and worker from one image: the command says which. No ClickHouse engine and no demo in here.
#   docker run … memprof                                            the bot
#   docker run … memprof node --enable-source-maps dist/src/worker.js   a worker
# Configuration: a file at MEMPROF_CONFIG, secrets in the environment (README, "Run it").

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
RUN npm ci --ignore-scripts
COPY src ./src
COPY jobs ./jobs
COPY templates ./templates
COPY test ./test
RUN npm run build

FROM node:24-slim
ENV NODE_ENV=production \
    MEMPROF_CONFIG=/etc/memprof/memprof.yaml \
    MEMPROF_HEALTH_PORT=8080
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force
COPY --from=build /app/dist ./dist
COPY templates ./templates
USER node
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s \
  CMD ["node", "dist/src/health-check.js"]
CMD ["node", "--enable-source-maps", "dist/src/bot.js"]
