accounts (
  account_id INTEGER not null,
  created_at TEXT not null,
  currency TEXT not null,
  deleted_at TEXT,
  features TEXT,
  id INTEGER not null,
  name TEXT not null,
  settings TEXT,
  time_zone TEXT not null,
  units TEXT not null,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "accounts_created_at" on "accounts" ("account_id", "created_at", "id")
CREATE INDEX "accounts_updated_at" on "accounts" ("account_id", "updated_at", "id")

answers (
  account_id INTEGER not null,
  body TEXT not null,
  created_at TEXT not null,
  fingerprint TEXT not null,
  headers TEXT not null,
  key TEXT not null,
  status INTEGER not null,
  primary key (account_id, key)
) strict
CREATE INDEX "answers_created_at" on "answers" ("account_id", "created_at")

api_key_groups (
  account_id INTEGER not null,
  api_key_id INTEGER not null,
  group_id INTEGER not null,
  primary key (account_id, api_key_id, group_id)
) strict without rowid
CREATE INDEX "api_key_groups_back" on "api_key_groups" ("account_id", "group_id", "api_key_id")

api_keys (
  account_id INTEGER not null,
  created_at TEXT not null,
  deleted_at TEXT,
  digest TEXT not null,
  expires_at TEXT,
  id INTEGER not null,
  last_used_at TEXT,
  limited INTEGER not null,
  name TEXT not null,
  prefix TEXT not null,
  read_only INTEGER not null,
  revoked_at TEXT,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "api_keys_created_at" on "api_keys" ("account_id", "created_at", "id")
CREATE UNIQUE INDEX "api_keys_digest_key" on "api_keys" ("account_id", "digest") where deleted_at is null
CREATE INDEX "api_keys_updated_at" on "api_keys" ("account_id", "updated_at", "id")

asset_groups (
  account_id INTEGER not null,
  asset_id INTEGER not null,
  group_id INTEGER not null,
  primary key (account_id, asset_id, group_id)
) strict without rowid
CREATE INDEX "asset_groups_back" on "asset_groups" ("account_id", "group_id", "asset_id")

asset_tags (
  account_id INTEGER not null,
  asset_id INTEGER not null,
  tag_id INTEGER not null,
  primary key (account_id, asset_id, tag_id)
) strict without rowid
CREATE INDEX "asset_tags_back" on "asset_tags" ("account_id", "tag_id", "asset_id")

assets (
  account_id INTEGER not null,
  attachment_id TEXT,
  cost TEXT,
  created_at TEXT not null,
  customer_id INTEGER,
  deleted_at TEXT,
  enabled INTEGER not null,
  id INTEGER not null,
  location TEXT,
  model TEXT,
  name TEXT not null,
  notes TEXT,
  serial TEXT,
  third_party_id TEXT,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "assets_attachment_id" on "assets" ("account_id", "attachment_id", "id")
CREATE INDEX "assets_created_at" on "assets" ("account_id", "created_at", "id")
CREATE INDEX "assets_customer_id" on "assets" ("account_id", "customer_id", "id")
CREATE UNIQUE INDEX "assets_name_key" on "assets" ("account_id", "name") where deleted_at is null
CREATE UNIQUE INDEX "assets_third_party_id_key" on "assets" ("account_id", "third_party_id") where deleted_at is null
CREATE INDEX "assets_updated_at" on "assets" ("account_id", "updated_at", "id")

attachments (
  account_id INTEGER not null,
  asset_id INTEGER,
  created_at TEXT not null,
  deleted_at TEXT,
  id TEXT not null,
  job_id INTEGER,
  sha256 TEXT not null,
  size INTEGER not null,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "attachments_asset_id" on "attachments" ("account_id", "asset_id", "id")
CREATE INDEX "attachments_created_at" on "attachments" ("account_id", "created_at", "id")
CREATE INDEX "attachments_job_id" on "attachments" ("account_id", "job_id", "id")
CREATE INDEX "attachments_sha256" on "attachments" ("account_id", "sha256", "id")
CREATE INDEX "attachments_updated_at" on "attachments" ("account_id", "updated_at", "id")

counters (
  name TEXT not null,
  value INTEGER not null,
  primary key (name)
) strict without rowid

customer_groups (
  account_id INTEGER not null,
  customer_id INTEGER not null,
  group_id INTEGER not null,
  primary key (account_id, customer_id, group_id)
) strict without rowid
CREATE INDEX "customer_groups_back" on "customer_groups" ("account_id", "group_id", "customer_id")

customers (
  account_id INTEGER not null,
  billing_contact TEXT,
  created_at TEXT not null,
  deleted_at TEXT,
  delivery_contact TEXT,
  id INTEGER not null,
  name TEXT not null,
  notes TEXT,
  pricebook_id INTEGER,
  third_party_id TEXT,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "customers_created_at" on "customers" ("account_id", "created_at", "id")
CREATE INDEX "customers_name" on "customers" ("account_id", "name", "id")
CREATE INDEX "customers_pricebook_id" on "customers" ("account_id", "pricebook_id", "id")
CREATE UNIQUE INDEX "customers_third_party_id_key" on "customers" ("account_id", "third_party_id") where deleted_at is null
CREATE INDEX "customers_updated_at" on "customers" ("account_id", "updated_at", "id")

deliveries (
  account_id INTEGER not null,
  attempted_at TEXT,
  attempts INTEGER not null,
  created_at TEXT not null,
  deleted_at TEXT,
  delivered_at TEXT,
  error TEXT,
  event_id INTEGER not null,
  event_type TEXT not null,
  id TEXT not null,
  next_attempt_at TEXT,
  response_body TEXT,
  response_status INTEGER,
  status TEXT not null,
  updated_at TEXT not null,
  webhook_id INTEGER not null,
  primary key (account_id, id)
) strict
CREATE INDEX "deliveries_created_at" on "deliveries" ("account_id", "created_at", "id")
CREATE INDEX "deliveries_event_id" on "deliveries" ("account_id", "event_id", "id")
CREATE INDEX "deliveries_status" on "deliveries" ("account_id", "status", "id")
CREATE INDEX "deliveries_updated_at" on "deliveries" ("account_id", "updated_at", "id")
CREATE INDEX "deliveries_webhook_id" on "deliveries" ("account_id", "webhook_id", "id")
CREATE INDEX "deliveries_webhook_id_next_attempt_at" on "deliveries" ("account_id", "webhook_id", "next_attempt_at", "id")

equipment (
  account_id INTEGER not null,
  created_at TEXT not null,
  deleted_at TEXT,
  id INTEGER not null,
  model TEXT,
  name TEXT not null,
  notes TEXT,
  serial TEXT,
  third_party_id TEXT,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "equipment_created_at" on "equipment" ("account_id", "created_at", "id")
CREATE UNIQUE INDEX "equipment_name_key" on "equipment" ("account_id", "name") where deleted_at is null
CREATE UNIQUE INDEX "equipment_third_party_id_key" on "equipment" ("account_id", "third_party_id") where deleted_at is null
CREATE INDEX "equipment_updated_at" on "equipment" ("account_id", "updated_at", "id")

equipment_groups (
  account_id INTEGER not null,
  equipment_id INTEGER not null,
  group_id INTEGER not null,
  primary key (account_id, equipment_id, group_id)
) strict without rowid
CREATE INDEX "equipment_groups_back" on "equipment_groups" ("account_id", "group_id", "equipment_id")

equipment_tags (
  account_id INTEGER not null,
  equipment_id INTEGER not null,
  tag_id INTEGER not null,
  primary key (account_id, equipment_id, tag_id)
) strict without rowid
CREATE INDEX "equipment_tags_back" on "equipment_tags" ("account_id", "tag_id", "equipment_id")

events (
  account_id INTEGER not null,
  action TEXT not null,
  actor TEXT not null,
  actor_id INTEGER,
  at TEXT not null,
  call_id TEXT not null,
  changes TEXT not null,
  record TEXT not null,
  record_id TEXT not null,
  seq INTEGER not null,
  primary key (account_id, seq)
) strict
CREATE INDEX "events_record" on "events" ("account_id", "record", "record_id", "seq")

groups (
  account_id INTEGER not null,
  created_at TEXT not null,
  deleted_at TEXT,
  description TEXT,
  id INTEGER not null,
  name TEXT not null,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "groups_created_at" on "groups" ("account_id", "created_at", "id")
CREATE UNIQUE INDEX "groups_name_key" on "groups" ("account_id", "name") where deleted_at is null
CREATE INDEX "groups_updated_at" on "groups" ("account_id", "updated_at", "id")

imports (
  account_id INTEGER not null,
  key TEXT not null,
  record TEXT not null,
  record_id TEXT not null,
  primary key (account_id, record, key)
) strict without rowid

job_assets (
  account_id INTEGER not null,
  asset_id INTEGER not null,
  job_id INTEGER not null,
  primary key (account_id, job_id, asset_id)
) strict without rowid
CREATE INDEX "job_assets_back" on "job_assets" ("account_id", "asset_id", "job_id")

job_equipment (
  account_id INTEGER not null,
  equipment_id INTEGER not null,
  job_id INTEGER not null,
  primary key (account_id, job_id, equipment_id)
) strict without rowid
CREATE INDEX "job_equipment_back" on "job_equipment" ("account_id", "equipment_id", "job_id")

job_groups (
  account_id INTEGER not null,
  group_id INTEGER not null,
  job_id INTEGER not null,
  primary key (account_id, job_id, group_id)
) strict without rowid
CREATE INDEX "job_groups_back" on "job_groups" ("account_id", "group_id", "job_id")

job_tags (
  account_id INTEGER not null,
  job_id INTEGER not null,
  tag_id INTEGER not null,
  primary key (account_id, job_id, tag_id)
) strict without rowid
CREATE INDEX "job_tags_back" on "job_tags" ("account_id", "tag_id", "job_id")

jobs (
  account_id INTEGER not null,
  actual_duration INTEGER,
  actual_start_at TEXT,
  cancel_reason TEXT,
  canceled_at TEXT,
  completed_at TEXT,
  confirm_by TEXT,
  confirmation TEXT,
  contact TEXT,
  created_at TEXT not null,
  custom_fields TEXT,
  customer_id INTEGER,
  decline_reason TEXT,
  deleted_at TEXT,
  id INTEGER not null,
  last_action_at TEXT,
  line_items TEXT,
  notes TEXT,
  paused_at TEXT,
  paused_seconds INTEGER not null,
  planned_duration INTEGER,
  planned_end_at TEXT,
  planned_start_at TEXT,
  pricebook_id INTEGER,
  progress_state TEXT not null,
  proof_of_delivery TEXT,
  published_at TEXT,
  scheduled_at TEXT,
  state TEXT not null,
  steps TEXT,
  template_id INTEGER,
  template_name TEXT,
  third_party_id TEXT,
  time_windows TEXT,
  updated_at TEXT not null,
  worker_id INTEGER,
  primary key (account_id, id)
) strict
CREATE INDEX "jobs_completed_at" on "jobs" ("account_id", "completed_at", "id")
CREATE INDEX "jobs_confirm_by" on "jobs" ("account_id", "confirm_by", "id")
CREATE INDEX "jobs_created_at" on "jobs" ("account_id", "created_at", "id")
CREATE INDEX "jobs_customer_id" on "jobs" ("account_id", "customer_id", "id")
CREATE INDEX "jobs_last_action_at" on "jobs" ("account_id", "last_action_at", "id")
CREATE INDEX "jobs_planned_duration" on "jobs" ("account_id", "planned_duration", "id")
CREATE INDEX "jobs_planned_end_at" on "jobs" ("account_id", "planned_end_at", "id")
CREATE INDEX "jobs_planned_start_at" on "jobs" ("account_id", "planned_start_at", "id")
CREATE INDEX "jobs_pricebook_id" on "jobs" ("account_id", "pricebook_id", "id")
CREATE INDEX "jobs_progress_state" on "jobs" ("account_id", "progress_state", "id")
CREATE INDEX "jobs_scheduled_at" on "jobs" ("account_id", "scheduled_at", "id")
CREATE INDEX "jobs_state" on "jobs" ("account_id", "state", "id")
CREATE INDEX "jobs_template_id" on "jobs" ("account_id", "template_id", "id")
CREATE INDEX "jobs_template_name" on "jobs" ("account_id", "template_name", "id")
CREATE UNIQUE INDEX "jobs_third_party_id_key" on "jobs" ("account_id", "third_party_id") where deleted_at is null
CREATE INDEX "jobs_updated_at" on "jobs" ("account_id", "updated_at", "id")
CREATE INDEX "jobs_worker_id" on "jobs" ("account_id", "worker_id", "id")
CREATE INDEX "jobs_worker_id_planned_end_at" on "jobs" ("account_id", "worker_id", "planned_end_at", "id")

journals (
  account_id INTEGER not null,
  seq INTEGER not null,
  primary key (account_id)
) strict without rowid

message_reads (
  account_id INTEGER not null,
  message_id TEXT not null,
  user_id INTEGER not null,
  primary key (account_id, message_id, user_id)
) strict without rowid
CREATE INDEX "message_reads_back" on "message_reads" ("account_id", "user_id", "message_id")

message_receipts (
  account_id INTEGER not null,
  message_id TEXT not null,
  user_id INTEGER not null,
  primary key (account_id, message_id, user_id)
) strict without rowid
CREATE INDEX "message_receipts_back" on "message_receipts" ("account_id", "user_id", "message_id")

messages (
  account_id INTEGER not null,
  body TEXT not null,
  created_at TEXT not null,
  deleted_at TEXT,
  from_user_id INTEGER,
  from_user_name TEXT,
  id TEXT not null,
  thread_id TEXT not null,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "messages_created_at" on "messages" ("account_id", "created_at", "id")
CREATE INDEX "messages_from_user_id" on "messages" ("account_id", "from_user_id", "id")
CREATE INDEX "messages_thread_id" on "messages" ("account_id", "thread_id", "id")
CREATE INDEX "messages_updated_at" on "messages" ("account_id", "updated_at", "id")

pricebooks (
  account_id INTEGER not null,
  created_at TEXT not null,
  deleted_at TEXT,
  description TEXT,
  id INTEGER not null,
  name TEXT not null,
  pricebook_items TEXT,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "pricebooks_created_at" on "pricebooks" ("account_id", "created_at", "id")
CREATE UNIQUE INDEX "pricebooks_name_key" on "pricebooks" ("account_id", "name") where deleted_at is null
CREATE INDEX "pricebooks_updated_at" on "pricebooks" ("account_id", "updated_at", "id")

request_counts (
  account_id INTEGER not null,
  caller TEXT not null,
  count INTEGER not null,
  minute INTEGER not null,
  primary key (account_id, caller, minute)
) strict without rowid

sessions (
  account_id INTEGER not null,
  created_at TEXT not null,
  deleted_at TEXT,
  device TEXT,
  digest TEXT not null,
  expires_at TEXT not null,
  id INTEGER not null,
  updated_at TEXT not null,
  user_id INTEGER not null,
  primary key (account_id, id)
) strict
CREATE INDEX "sessions_created_at" on "sessions" ("account_id", "created_at", "id")
CREATE UNIQUE INDEX "sessions_digest_key" on "sessions" ("account_id", "digest") where deleted_at is null
CREATE INDEX "sessions_updated_at" on "sessions" ("account_id", "updated_at", "id")
CREATE INDEX "sessions_user_id" on "sessions" ("account_id", "user_id", "id")

sign_in_tries (
  count INTEGER not null,
  forget_at TEXT not null,
  key TEXT not null,
  until TEXT not null,
  primary key (key)
) strict without rowid
CREATE INDEX "sign_in_tries_forget_at" on "sign_in_tries" ("forget_at")

signatures (
  account_id INTEGER not null,
  created_at TEXT not null,
  deleted_at TEXT,
  id TEXT not null,
  job_id INTEGER,
  sha256 TEXT not null,
  size INTEGER not null,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "signatures_created_at" on "signatures" ("account_id", "created_at", "id")
CREATE INDEX "signatures_job_id" on "signatures" ("account_id", "job_id", "id")
CREATE INDEX "signatures_sha256" on "signatures" ("account_id", "sha256", "id")
CREATE INDEX "signatures_updated_at" on "signatures" ("account_id", "updated_at", "id")

tags (
  account_id INTEGER not null,
  created_at TEXT not null,
  created_by_user_id INTEGER,
  deleted_at TEXT,
  description TEXT,
  expires INTEGER not null,
  id INTEGER not null,
  name TEXT not null,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "tags_created_at" on "tags" ("account_id", "created_at", "id")
CREATE INDEX "tags_created_by_user_id" on "tags" ("account_id", "created_by_user_id", "id")
CREATE UNIQUE INDEX "tags_name_key" on "tags" ("account_id", "name") where deleted_at is null
CREATE INDEX "tags_updated_at" on "tags" ("account_id", "updated_at", "id")

telemetry (
  account_id INTEGER not null,
  accuracy TEXT,
  heading TEXT,
  lat TEXT not null,
  lng TEXT not null,
  recorded_at TEXT not null,
  speed TEXT,
  user_id INTEGER not null,
  primary key (account_id, user_id, recorded_at)
) strict without rowid

template_groups (
  account_id INTEGER not null,
  group_id INTEGER not null,
  template_id INTEGER not null,
  primary key (account_id, template_id, group_id)
) strict without rowid
CREATE INDEX "template_groups_back" on "template_groups" ("account_id", "group_id", "template_id")

template_tags (
  account_id INTEGER not null,
  tag_id INTEGER not null,
  template_id INTEGER not null,
  primary key (account_id, template_id, tag_id)
) strict without rowid
CREATE INDEX "template_tags_back" on "template_tags" ("account_id", "tag_id", "template_id")

templates (
  account_id INTEGER not null,
  created_at TEXT not null,
  custom_fields TEXT,
  customer_id INTEGER,
  deleted_at TEXT,
  enabled INTEGER not null,
  id INTEGER not null,
  kind TEXT not null,
  name TEXT not null,
  planned_duration INTEGER,
  pricebook_id INTEGER,
  steps TEXT,
  updated_at TEXT not null,
  worker_id INTEGER,
  primary key (account_id, id)
) strict
CREATE INDEX "templates_created_at" on "templates" ("account_id", "created_at", "id")
CREATE INDEX "templates_customer_id" on "templates" ("account_id", "customer_id", "id")
CREATE UNIQUE INDEX "templates_name_key" on "templates" ("account_id", "name") where deleted_at is null
CREATE INDEX "templates_pricebook_id" on "templates" ("account_id", "pricebook_id", "id")
CREATE INDEX "templates_updated_at" on "templates" ("account_id", "updated_at", "id")
CREATE INDEX "templates_worker_id" on "templates" ("account_id", "worker_id", "id")

thread_users (
  account_id INTEGER not null,
  thread_id TEXT not null,
  user_id INTEGER not null,
  primary key (account_id, thread_id, user_id)
) strict without rowid
CREATE INDEX "thread_users_back" on "thread_users" ("account_id", "user_id", "thread_id")

threads (
  account_id INTEGER not null,
  all_workers INTEGER not null,
  created_at TEXT not null,
  created_by_user_id INTEGER,
  deleted_at TEXT,
  id TEXT not null,
  job_id INTEGER,
  last_reply_at TEXT,
  last_reply_user_id INTEGER,
  subject TEXT,
  summary TEXT,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "threads_created_at" on "threads" ("account_id", "created_at", "id")
CREATE INDEX "threads_created_by_user_id" on "threads" ("account_id", "created_by_user_id", "id")
CREATE INDEX "threads_job_id" on "threads" ("account_id", "job_id", "id")
CREATE INDEX "threads_last_reply_user_id" on "threads" ("account_id", "last_reply_user_id", "id")
CREATE INDEX "threads_updated_at" on "threads" ("account_id", "updated_at", "id")

user_groups (
  account_id INTEGER not null,
  group_id INTEGER not null,
  user_id INTEGER not null,
  primary key (account_id, user_id, group_id)
) strict without rowid
CREATE INDEX "user_groups_back" on "user_groups" ("account_id", "group_id", "user_id")

user_tags (
  account_id INTEGER not null,
  expires_at TEXT,
  tag_id INTEGER not null,
  user_id INTEGER not null,
  primary key (account_id, user_id, tag_id)
) strict without rowid
CREATE INDEX "user_tags_back" on "user_tags" ("account_id", "tag_id", "user_id")

users (
  account_id INTEGER not null,
  can_message INTEGER not null,
  capacity INTEGER,
  created_at TEXT not null,
  deleted_at TEXT,
  email TEXT not null,
  enabled INTEGER not null,
  end_location TEXT,
  id INTEGER not null,
  is_admin INTEGER not null,
  is_worker INTEGER not null,
  latest_telemetry TEXT,
  name TEXT not null,
  notes TEXT,
  password TEXT,
  permissions TEXT,
  phone TEXT,
  shift_off_until TEXT,
  shift_on INTEGER not null,
  start_location TEXT,
  third_party_id TEXT,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "users_created_at" on "users" ("account_id", "created_at", "id")
CREATE UNIQUE INDEX "users_email_key" on "users" ("account_id", lower("email")) where deleted_at is null
CREATE UNIQUE INDEX "users_name_key" on "users" ("account_id", "name") where deleted_at is null
CREATE INDEX "users_shift_off_until" on "users" ("account_id", "shift_off_until", "id")
CREATE UNIQUE INDEX "users_third_party_id_key" on "users" ("account_id", "third_party_id") where deleted_at is null
CREATE INDEX "users_updated_at" on "users" ("account_id", "updated_at", "id")

webhooks (
  account_id INTEGER not null,
  created_at TEXT not null,
  cursor INTEGER not null,
  deleted_at TEXT,
  description TEXT,
  disabled_reason TEXT,
  enabled INTEGER not null,
  events TEXT,
  failing_since TEXT,
  id INTEGER not null,
  secret TEXT,
  updated_at TEXT not null,
  url TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "webhooks_created_at" on "webhooks" ("account_id", "created_at", "id")
CREATE INDEX "webhooks_updated_at" on "webhooks" ("account_id", "updated_at", "id")
