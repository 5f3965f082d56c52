//! The tables of volunteers: what BOINC needs to know of users, machines, programs and files beside
//! what the record knows of everybody.

/// `user_id`, `host_id` and `team_id` are those of `users`, `hosts` and `teams`. `credit` counts
/// positions visited, as everywhere; `average` is what comes of it by the day, with a half-life of a
/// week, at the time `average_at`.
pub(super) const VOLUNTEERS: &str = "
CREATE TABLE accounts (
    user_id       {int} PRIMARY KEY,
    email_hash    TEXT NOT NULL UNIQUE,
    authenticator TEXT NOT NULL UNIQUE,
    password      {bytes},
    shown         TEXT NOT NULL,
    cpid          TEXT NOT NULL,
    exports       {flag} NOT NULL,
    share         {real} NOT NULL,
    preferences   TEXT NOT NULL,
    changed       {int} NOT NULL,
    credit        {int} NOT NULL,
    average       {real} NOT NULL,
    average_at    {int} NOT NULL,
    created       {int} NOT NULL
){clustered};
ALTER TABLE teams ADD COLUMN founder {int};
ALTER TABLE teams ADD COLUMN url TEXT NOT NULL DEFAULT '';
ALTER TABLE teams ADD COLUMN about TEXT NOT NULL DEFAULT '';
ALTER TABLE teams ADD COLUMN credit {int} NOT NULL DEFAULT 0;
ALTER TABLE teams ADD COLUMN average {real} NOT NULL DEFAULT 0;
ALTER TABLE teams ADD COLUMN average_at {int} NOT NULL DEFAULT 0;
CREATE TABLE volunteer_hosts (
    host_id    {int} PRIMARY KEY,
    user_id    {int} NOT NULL,
    cpid       TEXT NOT NULL,
    seqno      {int} NOT NULL,
    shown      TEXT NOT NULL,
    platform   TEXT NOT NULL,
    system     TEXT NOT NULL,
    processor  TEXT NOT NULL,
    processors {int} NOT NULL,
    flops      {real} NOT NULL,
    memory     {real} NOT NULL,
    client     TEXT NOT NULL,
    asked      {int} NOT NULL,
    credit     {int} NOT NULL,
    average    {real} NOT NULL,
    average_at {int} NOT NULL,
    created    {int} NOT NULL
){clustered};
CREATE INDEX volunteer_hosts_of_users ON volunteer_hosts (user_id, cpid);
CREATE TABLE app_versions (
    id         {id},
    app        TEXT NOT NULL,
    version    {int} NOT NULL,
    platform   TEXT NOT NULL,
    plan_class TEXT NOT NULL,
    file       TEXT NOT NULL UNIQUE,
    size       {int} NOT NULL,
    md5        TEXT NOT NULL,
    signature  TEXT NOT NULL,
    solvers    TEXT NOT NULL,
    bytes      {bytes} NOT NULL,
    superseded {flag} NOT NULL,
    created    {int} NOT NULL,
    UNIQUE (app, version, platform, plan_class)
){end};
CREATE TABLE code_keys (
    id        {id},
    public    TEXT NOT NULL,
    signature TEXT NOT NULL,
    created   {int} NOT NULL
){end};
CREATE TABLE version_quotas (
    host_id {int} NOT NULL,
    version {int} NOT NULL,
    day     {int} NOT NULL,
    today   {int} NOT NULL,
    quota   {int} NOT NULL,
    PRIMARY KEY (host_id, version)
){clustered};
CREATE TABLE volunteer_results (
    name        TEXT PRIMARY KEY,
    project     {short} NOT NULL,
    unit        {int} NOT NULL,
    incarnation {int} NOT NULL,
    attempt     {int} NOT NULL,
    user_id     {int} NOT NULL,
    host_id     {int} NOT NULL,
    version     {int} NOT NULL,
    sent        {int} NOT NULL,
    deadline    {int} NOT NULL,
    told        {flag} NOT NULL,
    reported    {int},
    outcome     {flag},
    exit_status {int},
    cpu         {real},
    elapsed     {real},
    progress    {real},
    words       TEXT NOT NULL,
    UNIQUE (project, unit, incarnation, attempt)
){end};
CREATE INDEX volunteer_results_open ON volunteer_results (host_id) WHERE reported IS NULL;
CREATE INDEX volunteer_results_of_users ON volunteer_results (user_id, sent);
CREATE TABLE uploads (
    name   TEXT PRIMARY KEY,
    result TEXT NOT NULL,
    size   {int} NOT NULL,
    bytes  {bytes} NOT NULL,
    made   {int} NOT NULL
){end};
CREATE INDEX uploads_of_results ON uploads (result);
CREATE TABLE notices (
    id    {id},
    title TEXT NOT NULL,
    words TEXT NOT NULL,
    made  {int} NOT NULL
){end};
ALTER TABLE votes ADD COLUMN counted {flag} NOT NULL DEFAULT 0;
CREATE INDEX votes_to_count ON votes (made) WHERE counted = 0;
CREATE INDEX votes_of_hosts ON votes (host_id);
";
