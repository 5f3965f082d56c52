//! The tables, and how a record comes from one version of them to the next.

use super::error::RecordError;
use super::link::{Link, tuple};
use super::volunteer_schema::VOLUNTEERS;

/// One script for each version, in the order in which they are run.
const MIGRATIONS: [&str; 5] = [FIRST, SECOND, THIRD, VOLUNTEERS, FIFTH];

/// The version that this program knows.
pub(super) const VERSION: i64 = MIGRATIONS.len() as i64;

const FIRST: &str = "
CREATE TABLE projects (
    id            {short} PRIMARY KEY,
    name          TEXT NOT NULL UNIQUE,
    game          TEXT NOT NULL,
    position      TEXT NOT NULL,
    goal          TEXT NOT NULL,
    plan          TEXT NOT NULL,
    quorum        {short} NOT NULL,
    trusted_alone {flag} NOT NULL,
    state         TEXT NOT NULL,
    share         {int} NOT NULL,
    epoch         {int} NOT NULL,
    incarnation   {int} NOT NULL,
    next_number   {int} NOT NULL,
    batches       {int} NOT NULL,
    nodes         {int} NOT NULL,
    seconds       {real} NOT NULL,
    done          {int} NOT NULL,
    lower_bound   {int},
    upper_bound   {int},
    created       {int} NOT NULL
){clustered};
CREATE TABLE nodes (
    project {short} NOT NULL,
    name    {bytes} NOT NULL,
    state   {bytes} NOT NULL,
    moves   {bytes},
    PRIMARY KEY (project, name)
){clustered};
CREATE TABLE facts (
    project  {short} NOT NULL,
    name     {bytes} NOT NULL,
    at_least {short} NOT NULL,
    holds    {flag} NOT NULL,
    unit     {int} NOT NULL,
    users    {short} NOT NULL,
    trusted  {flag} NOT NULL,
    checksum {int} NOT NULL,
    PRIMARY KEY (project, name, at_least, holds, unit)
){clustered};
CREATE INDEX facts_of_units ON facts (project, unit);
CREATE TABLE units (
    project      {short} NOT NULL,
    number       {int} NOT NULL,
    incarnation  {int} NOT NULL,
    unit         {bytes} NOT NULL,
    solver       {int} NOT NULL,
    megabytes    {int} NOT NULL,
    wanted       {int} NOT NULL,
    waiting      {int} NOT NULL,
    trusted_only {flag} NOT NULL,
    open         {flag} NOT NULL,
    created      {int} NOT NULL,
    closed       {int},
    PRIMARY KEY (project, number)
){clustered};
CREATE INDEX units_ready ON units (project, trusted_only, number) WHERE open = 1 AND waiting > 0;
CREATE INDEX units_open ON units (project, number) WHERE open = 1;
CREATE INDEX units_closed ON units (closed) WHERE open = 0;
CREATE TABLE attempts (
    project   {short} NOT NULL,
    unit      {int} NOT NULL,
    attempt   {int} NOT NULL,
    user_id   {int} NOT NULL,
    host_id   {int} NOT NULL,
    network   {int} NOT NULL,
    trusted   {flag} NOT NULL,
    since     {int} NOT NULL,
    until     {int} NOT NULL,
    delivered {int},
    state     {flag} NOT NULL,
    digest    {bytes},
    report    {bytes},
    failure   TEXT,
    PRIMARY KEY (project, unit, attempt)
){clustered};
CREATE UNIQUE INDEX attempts_live_once ON attempts (project, unit, user_id)
    WHERE state = 0 AND trusted = 0;
CREATE INDEX attempts_live ON attempts (until) WHERE state = 0;
CREATE INDEX attempts_of_hosts ON attempts (host_id) WHERE state = 0;
CREATE INDEX attempts_delivered ON attempts (project, delivered, unit, attempt) WHERE state = 2;
CREATE INDEX attempts_heard ON attempts (project) WHERE state = 4;
CREATE INDEX attempts_of_users ON attempts (user_id);
CREATE TABLE votes (
    project {short} NOT NULL,
    unit    {int} NOT NULL,
    attempt {int} NOT NULL,
    user_id {int} NOT NULL,
    host_id {int} NOT NULL,
    network {int} NOT NULL,
    trusted {flag} NOT NULL,
    verdict {flag} NOT NULL,
    credit  {int} NOT NULL,
    revoked {flag} NOT NULL,
    made    {int} NOT NULL,
    PRIMARY KEY (project, unit, attempt)
){clustered};
CREATE INDEX votes_of_users ON votes (user_id);
CREATE TABLE teams (
    id      {id},
    name    TEXT NOT NULL UNIQUE,
    created {int} NOT NULL
){end};
CREATE TABLE users (
    id      {id},
    name    TEXT NOT NULL UNIQUE,
    trusted {flag} NOT NULL,
    revoked {flag} NOT NULL,
    team_id {int},
    created {int} NOT NULL
){end};
CREATE TABLE user_records (
    project {short} NOT NULL,
    user_id {int} NOT NULL,
    valid   {int} NOT NULL,
    invalid {int} NOT NULL,
    failed  {int} NOT NULL,
    since   {int} NOT NULL,
    banned  {flag} NOT NULL,
    credit  {int} NOT NULL,
    PRIMARY KEY (project, user_id)
){clustered};
CREATE TABLE tokens (
    hash    {bytes} PRIMARY KEY,
    user_id {int} NOT NULL,
    created {int} NOT NULL,
    revoked {flag} NOT NULL
){clustered};
CREATE INDEX tokens_of_users ON tokens (user_id);
CREATE TABLE hosts (
    id      {id},
    user_id {int} NOT NULL,
    name    TEXT NOT NULL,
    network {int} NOT NULL,
    seen    {int} NOT NULL,
    day     {int} NOT NULL,
    today   {int} NOT NULL,
    errors  {int} NOT NULL,
    quota   {int} NOT NULL,
    UNIQUE (user_id, name)
){end};
CREATE TABLE lemmas (
    project  {short} NOT NULL,
    hash     {bytes} NOT NULL,
    pending  {flag} NOT NULL,
    position TEXT NOT NULL,
    claim    TEXT NOT NULL,
    bytes    {bytes} NOT NULL,
    unit     {int} NOT NULL,
    attempt  {int} NOT NULL,
    user_id  {int} NOT NULL,
    created  {int} NOT NULL,
    PRIMARY KEY (project, hash)
){end};
CREATE INDEX lemmas_pending ON lemmas (project, unit, attempt) WHERE pending = 1;
CREATE TABLE log (
    number  {id},
    project {short} NOT NULL,
    batch   {int} NOT NULL,
    made    {int} NOT NULL,
    line    TEXT NOT NULL
){end};
CREATE INDEX log_of_projects ON log (project, number);
";

/// When a project was driven last, and what proves its answer.
const SECOND: &str = "
ALTER TABLE projects ADD COLUMN beat {int} NOT NULL DEFAULT 0;
CREATE TABLE node_lemmas (
    project  {short} NOT NULL,
    name     {bytes} NOT NULL,
    at_least {short} NOT NULL,
    holds    {flag} NOT NULL,
    hash     {bytes} NOT NULL,
    PRIMARY KEY (project, name, at_least, holds)
){clustered};
CREATE TABLE wishes (
    project {short} NOT NULL,
    name    {bytes} NOT NULL,
    created {int} NOT NULL,
    PRIMARY KEY (project, name)
){clustered};
CREATE TABLE files (
    project {short} NOT NULL,
    name    TEXT NOT NULL,
    bytes   {bytes} NOT NULL,
    created {int} NOT NULL,
    PRIMARY KEY (project, name)
){end};
";

/// What workers say of attempts that failed; how far a project is, as its coordinator sees it; what
/// was done lately; when a machine last asked for work in vain. Whoever leases the first unit that
/// waits must not walk over all that are open: as long as both indices had the same order, PostgreSQL
/// took the wrong one.
const THIRD: &str = "
ALTER TABLE hosts ADD COLUMN asked {int} NOT NULL DEFAULT 0;
ALTER TABLE attempts ADD COLUMN error TEXT;
ALTER TABLE projects ADD COLUMN progress TEXT;
CREATE INDEX votes_of_times ON votes (project, made);
DROP INDEX units_open;
CREATE INDEX units_open ON units (project) WHERE open = 1;
";

/// How many results of a user the project itself has checked.
const FIFTH: &str = "
ALTER TABLE user_records ADD COLUMN checked {int} NOT NULL DEFAULT 0;
";

/// Brings a record to the version of this program, inside of a transaction. Whoever comes at the
/// same time waits.
pub(super) fn migrate(link: &mut dyn Link, is_postgres: bool) -> Result<(), RecordError> {
    if is_postgres {
        // Any number will do that nobody else uses.
        link.script("SELECT pg_advisory_xact_lock(6494231)")?;
    }
    link.script("CREATE TABLE IF NOT EXISTS zermelo_schema (version {int} NOT NULL){end}")?;
    let found = link.number("SELECT coalesce(max(version), 0) FROM zermelo_schema", &tuple![])?;
    if found > VERSION {
        return Err(RecordError::NewerSchema { found, known: VERSION });
    }
    for (version, script) in (1..).zip(MIGRATIONS).filter(|&(version, _)| version > found) {
        link.script(script)?;
        link.execute("INSERT INTO zermelo_schema (version) VALUES ($1)", &tuple![version])?;
    }
    Ok(())
}
