/**
 * The store's tables, step by step: a released step never changes, a new one is added at the end. Every statement may
 * run again, since several workers may start at once. They run inside the store's own database.
 */
export interface Migration {
  readonly version: number;
  readonly statements: readonly string[];
}

/** What a database of the store holds before anything else: which steps were taken. */
export const SCHEMA_VERSIONS = `
CREATE TABLE IF NOT EXISTS schema_versions
(
    version UInt32,
    applied_at DateTime DEFAULT now()
)
ENGINE = MergeTree
ORDER BY version
COMMENT 'memprof: steps of the schema that were taken'`;

const READINGS = `
CREATE TABLE IF NOT EXISTS readings
(
    investigation_id String COMMENT 'What people paste',
    target LowCardinality(String) COMMENT 'Name of the server in memprof''s config',
    kind LowCardinality(String) COMMENT 'frag, peak, heap or stats',
    subject String COMMENT 'Normalized hash of a query; empty for the server itself',
    at DateTime64(6, 'UTC'),
    server_started_at Nullable(DateTime64(6, 'UTC')) COMMENT 'Counters of two starts are not comparable',
    finding String COMMENT 'One sentence',
    waste_bytes Nullable(UInt64) COMMENT 'Held in slabs of the ordinary arenas but not live',
    dedicated_waste_bytes Nullable(UInt64),
    attributed_bytes Nullable(UInt64) COMMENT 'Waste whose holders were sampled',
    allocated_bytes Nullable(UInt64),
    active_bytes Nullable(UInt64),
    resident_bytes Nullable(UInt64),
    rss_bytes Nullable(UInt64),
    estimate_bytes Nullable(UInt64),
    server_peak_bytes Nullable(UInt64),
    arenas Array(UInt32),
    waste_classes Array(Tuple(
        arena Nullable(UInt32),
        purpose String,
        size_bytes UInt64,
        waste_bytes UInt64,
        utilisation Float64,
        holder String)) COMMENT 'Classes with most waste',
    query_peaks Array(Tuple(
        query_hash UInt64,
        query_id String,
        user String,
        peak_bytes UInt64,
        runs UInt64)) COMMENT 'Queries with the highest peaks since the reading before',
    kept_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(kept_at)
ORDER BY (kind, target, subject, investigation_id)
COMMENT 'memprof: one row for each look at a server, kept for ever; read with FINAL'`;

const PROFILES = `
CREATE TABLE IF NOT EXISTS profiles
(
    investigation_id String,
    target LowCardinality(String),
    kind LowCardinality(String),
    subject String,
    at DateTime64(6, 'UTC'),
    total_bytes Float64,
    stack_count UInt64,
    sample_count Nullable(UInt64),
    profile String COMMENT 'Compressed already; memprof alone reads it' CODEC(NONE),
    profile_bytes UInt64,
    keep_until DateTime,
    kept_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(kept_at)
ORDER BY (kind, target, subject, investigation_id)
TTL keep_until
COMMENT 'memprof: profiles, kept by retention; read with FINAL'`;

const DIGEST_STATES = `
CREATE TABLE IF NOT EXISTS digest_states
(
    digest_id String,
    state String COMMENT 'JSON',
    kept_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(kept_at)
ORDER BY digest_id
COMMENT 'memprof: what each digest knew when it was last run; read with FINAL'`;

export const migrations: readonly Migration[] = [
  { version: 1, statements: [READINGS, PROFILES, DIGEST_STATES] },
];
