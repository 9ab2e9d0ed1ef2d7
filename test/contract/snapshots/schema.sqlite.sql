absences (
  account_id INTEGER not null,
  created_at TEXT not null,
  created_by_user_id INTEGER,
  deleted_at TEXT,
  from TEXT not null,
  id INTEGER not null,
  kind TEXT not null,
  note TEXT,
  revision INTEGER,
  state TEXT not null,
  to TEXT not null,
  updated_at TEXT not null,
  user_id INTEGER,
  primary key (account_id, id)
) strict
CREATE INDEX "absences_created_at" on "absences" ("account_id", "created_at", "id")
CREATE INDEX "absences_created_by_user_id" on "absences" ("account_id", "created_by_user_id", "id")
CREATE INDEX "absences_from" on "absences" ("account_id", "from", "id")
CREATE TRIGGER "absences_search" after insert on "absences" when new."note" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'absences', new.id) on conflict do nothing; end
CREATE TRIGGER "absences_search_delete" after delete on "absences" when old."note" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'absences', old.id) on conflict do nothing; end
CREATE TRIGGER "absences_search_update" after update of "note" on "absences" when old."note" is not new."note" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'absences', new.id) on conflict do nothing; end
CREATE INDEX "absences_to" on "absences" ("account_id", "to", "id")
CREATE INDEX "absences_updated_at" on "absences" ("account_id", "updated_at", "id")
CREATE INDEX "absences_user_id" on "absences" ("account_id", "user_id", "id")

accounts (
  account_id INTEGER not null,
  created_at TEXT not null,
  currency TEXT not null,
  deleted_at TEXT,
  features TEXT,
  id INTEGER not null,
  name TEXT not null,
  rescue_key TEXT,
  revision INTEGER,
  settings TEXT,
  time_zone TEXT not null,
  units TEXT not null,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "accounts_created_at" on "accounts" ("account_id", "created_at", "id")
CREATE TRIGGER "accounts_search" after insert on "accounts" when new."name" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'accounts', new.id) on conflict do nothing; end
CREATE TRIGGER "accounts_search_delete" after delete on "accounts" when old."name" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'accounts', old.id) on conflict do nothing; end
CREATE TRIGGER "accounts_search_update" after update of "name" on "accounts" when old."name" is not new."name" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'accounts', new.id) on conflict do nothing; end
CREATE INDEX "accounts_updated_at" on "accounts" ("account_id", "updated_at", "id")

answers (
  account_id INTEGER not null,
  body TEXT not null,
  created_at TEXT not null,
  expires_at TEXT,
  fingerprint TEXT not null,
  headers TEXT not null,
  key TEXT not null,
  status INTEGER not null,
  primary key (account_id, key)
) strict
CREATE INDEX "answers_expires_at" on "answers" ("account_id", "expires_at", "created_at")

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
  gzip_optional INTEGER,
  id INTEGER not null,
  last_used_at TEXT,
  limited INTEGER not null,
  name TEXT not null,
  prefix TEXT not null,
  read_only INTEGER not null,
  revision INTEGER,
  revoked_at TEXT,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "api_keys_created_at" on "api_keys" ("account_id", "created_at", "id")
CREATE UNIQUE INDEX "api_keys_digest_key" on "api_keys" ("account_id", "digest") where deleted_at is null
CREATE TRIGGER "api_keys_search" after insert on "api_keys" when new."name" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'api_keys', new.id) on conflict do nothing; end
CREATE TRIGGER "api_keys_search_delete" after delete on "api_keys" when old."name" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'api_keys', old.id) on conflict do nothing; end
CREATE TRIGGER "api_keys_search_update" after update of "name" on "api_keys" when old."name" is not new."name" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'api_keys', new.id) on conflict do nothing; end
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
  revision INTEGER,
  serial TEXT,
  third_party_id TEXT,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "assets_attachment_id" on "assets" ("account_id", "attachment_id", "id")
CREATE INDEX "assets_created_at" on "assets" ("account_id", "created_at", "id")
CREATE INDEX "assets_customer_id" on "assets" ("account_id", "customer_id", "id")
CREATE UNIQUE INDEX "assets_name_key" on "assets" ("account_id", "name") where deleted_at is null
CREATE TRIGGER "assets_search" after insert on "assets" when new."name" is not null or new."model" is not null or new."serial" is not null or new."notes" is not null or new."third_party_id" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'assets', new.id) on conflict do nothing; end
CREATE TRIGGER "assets_search_delete" after delete on "assets" when old."name" is not null or old."model" is not null or old."serial" is not null or old."notes" is not null or old."third_party_id" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'assets', old.id) on conflict do nothing; end
CREATE TRIGGER "assets_search_update" after update of "name","model","serial","notes","third_party_id" on "assets" when old."name" is not new."name" or old."model" is not new."model" or old."serial" is not new."serial" or old."notes" is not new."notes" or old."third_party_id" is not new."third_party_id" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'assets', new.id) on conflict do nothing; end
CREATE UNIQUE INDEX "assets_third_party_id_key" on "assets" ("account_id", "third_party_id") where deleted_at is null
CREATE INDEX "assets_updated_at" on "assets" ("account_id", "updated_at", "id")

attachments (
  account_id INTEGER not null,
  asset_id INTEGER,
  created_at TEXT not null,
  deleted_at TEXT,
  id TEXT not null,
  job_id INTEGER,
  revision INTEGER,
  sha256 TEXT not null,
  size INTEGER not null,
  taken_at TEXT,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "attachments_asset_id" on "attachments" ("account_id", "asset_id", "id")
CREATE INDEX "attachments_created_at" on "attachments" ("account_id", "created_at", "id")
CREATE INDEX "attachments_job_id" on "attachments" ("account_id", "job_id", "id")
CREATE INDEX "attachments_sha256" on "attachments" ("account_id", "sha256", "id")
CREATE INDEX "attachments_updated_at" on "attachments" ("account_id", "updated_at", "id")

conflicts (
  account_id INTEGER not null,
  base TEXT,
  created_at TEXT not null,
  decided_at TEXT,
  decided_by_user_id INTEGER,
  deleted_at TEXT,
  device_id TEXT,
  id TEXT not null,
  job_id INTEGER not null,
  kind TEXT not null,
  mine TEXT,
  mine_at TEXT not null,
  mine_by_user_id INTEGER,
  path TEXT,
  record TEXT not null,
  record_id TEXT not null,
  revision INTEGER,
  state TEXT not null,
  theirs TEXT,
  theirs_at TEXT,
  theirs_by_user_id INTEGER,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "conflicts_created_at" on "conflicts" ("account_id", "created_at", "id")
CREATE INDEX "conflicts_decided_by_user_id" on "conflicts" ("account_id", "decided_by_user_id", "id")
CREATE INDEX "conflicts_job_id" on "conflicts" ("account_id", "job_id", "id")
CREATE INDEX "conflicts_mine_by_user_id" on "conflicts" ("account_id", "mine_by_user_id", "id")
CREATE TRIGGER "conflicts_search" after insert on "conflicts" when new."path" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'conflicts', new.id) on conflict do nothing; end
CREATE TRIGGER "conflicts_search_delete" after delete on "conflicts" when old."path" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'conflicts', old.id) on conflict do nothing; end
CREATE TRIGGER "conflicts_search_update" after update of "path" on "conflicts" when old."path" is not new."path" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'conflicts', new.id) on conflict do nothing; end
CREATE INDEX "conflicts_state" on "conflicts" ("account_id", "state", "id")
CREATE INDEX "conflicts_theirs_by_user_id" on "conflicts" ("account_id", "theirs_by_user_id", "id")
CREATE INDEX "conflicts_updated_at" on "conflicts" ("account_id", "updated_at", "id")

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
  revision INTEGER,
  third_party_id TEXT,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "customers_created_at" on "customers" ("account_id", "created_at", "id")
CREATE INDEX "customers_name" on "customers" ("account_id", "name", "id")
CREATE INDEX "customers_pricebook_id" on "customers" ("account_id", "pricebook_id", "id")
CREATE TRIGGER "customers_search" after insert on "customers" when new."name" is not null or new."notes" is not null or new."third_party_id" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'customers', new.id) on conflict do nothing; end
CREATE TRIGGER "customers_search_delete" after delete on "customers" when old."name" is not null or old."notes" is not null or old."third_party_id" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'customers', old.id) on conflict do nothing; end
CREATE TRIGGER "customers_search_update" after update of "name","notes","third_party_id" on "customers" when old."name" is not new."name" or old."notes" is not new."notes" or old."third_party_id" is not new."third_party_id" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'customers', new.id) on conflict do nothing; end
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
  revision INTEGER,
  status TEXT not null,
  updated_at TEXT not null,
  webhook_id INTEGER not null,
  primary key (account_id, id)
) strict
CREATE INDEX "deliveries_created_at" on "deliveries" ("account_id", "created_at", "id")
CREATE INDEX "deliveries_event_id" on "deliveries" ("account_id", "event_id", "id")
CREATE TRIGGER "deliveries_search" after insert on "deliveries" when new."event_type" is not null or new."error" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'deliveries', new.id) on conflict do nothing; end
CREATE TRIGGER "deliveries_search_delete" after delete on "deliveries" when old."event_type" is not null or old."error" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'deliveries', old.id) on conflict do nothing; end
CREATE TRIGGER "deliveries_search_update" after update of "event_type","error" on "deliveries" when old."event_type" is not new."event_type" or old."error" is not new."error" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'deliveries', new.id) on conflict do nothing; end
CREATE INDEX "deliveries_status" on "deliveries" ("account_id", "status", "id")
CREATE INDEX "deliveries_updated_at" on "deliveries" ("account_id", "updated_at", "id")
CREATE INDEX "deliveries_webhook_id" on "deliveries" ("account_id", "webhook_id", "id")
CREATE INDEX "deliveries_webhook_id_next_attempt_at" on "deliveries" ("account_id", "webhook_id", "next_attempt_at", "id")

devices (
  account_id INTEGER not null,
  app_version TEXT,
  battery_percent INTEGER,
  created_at TEXT not null,
  deleted_at TEXT,
  device_id TEXT,
  heard_at TEXT,
  id TEXT not null,
  name TEXT,
  oldest_waiting_at TEXT,
  permissions TEXT,
  refused_entries INTEGER not null,
  revision INTEGER,
  session_id INTEGER,
  sign_out_asked_at TEXT,
  signed_out_at TEXT,
  storage_persistent INTEGER,
  storage_quota_bytes INTEGER,
  storage_used_bytes INTEGER,
  updated_at TEXT not null,
  user_id INTEGER not null,
  waiting_bytes INTEGER not null,
  waiting_entries INTEGER not null,
  primary key (account_id, id)
) strict
CREATE INDEX "devices_created_at" on "devices" ("account_id", "created_at", "id")
CREATE TRIGGER "devices_search" after insert on "devices" when new."name" is not null or new."app_version" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'devices', new.id) on conflict do nothing; end
CREATE TRIGGER "devices_search_delete" after delete on "devices" when old."name" is not null or old."app_version" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'devices', old.id) on conflict do nothing; end
CREATE TRIGGER "devices_search_update" after update of "name","app_version" on "devices" when old."name" is not new."name" or old."app_version" is not new."app_version" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'devices', new.id) on conflict do nothing; end
CREATE INDEX "devices_session_id" on "devices" ("account_id", "session_id", "id")
CREATE INDEX "devices_updated_at" on "devices" ("account_id", "updated_at", "id")
CREATE INDEX "devices_user_id" on "devices" ("account_id", "user_id", "id")

equipment (
  account_id INTEGER not null,
  created_at TEXT not null,
  deleted_at TEXT,
  id INTEGER not null,
  model TEXT,
  name TEXT not null,
  notes TEXT,
  revision INTEGER,
  serial TEXT,
  third_party_id TEXT,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "equipment_created_at" on "equipment" ("account_id", "created_at", "id")
CREATE UNIQUE INDEX "equipment_name_key" on "equipment" ("account_id", "name") where deleted_at is null
CREATE TRIGGER "equipment_search" after insert on "equipment" when new."name" is not null or new."model" is not null or new."serial" is not null or new."notes" is not null or new."third_party_id" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'equipment', new.id) on conflict do nothing; end
CREATE TRIGGER "equipment_search_delete" after delete on "equipment" when old."name" is not null or old."model" is not null or old."serial" is not null or old."notes" is not null or old."third_party_id" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'equipment', old.id) on conflict do nothing; end
CREATE TRIGGER "equipment_search_update" after update of "name","model","serial","notes","third_party_id" on "equipment" when old."name" is not new."name" or old."model" is not new."model" or old."serial" is not new."serial" or old."notes" is not new."notes" or old."third_party_id" is not new."third_party_id" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'equipment', new.id) on conflict do nothing; end
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
  reason TEXT,
  record TEXT not null,
  record_id TEXT not null,
  reverses TEXT,
  seq INTEGER not null,
  primary key (account_id, seq)
) strict
CREATE INDEX "events_call" on "events" ("account_id", "call_id", "seq")
CREATE INDEX "events_record" on "events" ("account_id", "record", "record_id", "seq")
CREATE INDEX "events_reverses" on "events" ("account_id", "reverses", "seq") where "reverses" is not null

groups (
  account_id INTEGER not null,
  created_at TEXT not null,
  deleted_at TEXT,
  description TEXT,
  id INTEGER not null,
  name TEXT not null,
  revision INTEGER,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "groups_created_at" on "groups" ("account_id", "created_at", "id")
CREATE UNIQUE INDEX "groups_name_key" on "groups" ("account_id", "name") where deleted_at is null
CREATE TRIGGER "groups_search" after insert on "groups" when new."name" is not null or new."description" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'groups', new.id) on conflict do nothing; end
CREATE TRIGGER "groups_search_delete" after delete on "groups" when old."name" is not null or old."description" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'groups', old.id) on conflict do nothing; end
CREATE TRIGGER "groups_search_update" after update of "name","description" on "groups" when old."name" is not new."name" or old."description" is not new."description" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'groups', new.id) on conflict do nothing; end
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
  confirmed_at TEXT,
  contact TEXT,
  created_at TEXT not null,
  custom_fields TEXT,
  customer_id INTEGER,
  decline_reason TEXT,
  deleted_at TEXT,
  due_by TEXT,
  due_from TEXT,
  id INTEGER not null,
  last_action_at TEXT,
  line_items TEXT,
  locked_at TEXT,
  locked_by_user_id INTEGER,
  notes TEXT,
  pause_reason TEXT,
  paused_at TEXT,
  paused_seconds INTEGER not null,
  planned_duration INTEGER,
  planned_end_at TEXT,
  planned_start_at TEXT,
  pricebook_id INTEGER,
  priority TEXT,
  progress_state TEXT not null,
  proof_of_delivery TEXT,
  published_at TEXT,
  published_plan TEXT,
  recurrence_date TEXT,
  recurrence_id INTEGER,
  resumed_at TEXT,
  revision INTEGER,
  scheduled_at TEXT,
  site_id INTEGER,
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
CREATE INDEX "jobs_due_by" on "jobs" ("account_id", "due_by", "id")
CREATE INDEX "jobs_last_action_at" on "jobs" ("account_id", "last_action_at", "id")
CREATE INDEX "jobs_locked_by_user_id" on "jobs" ("account_id", "locked_by_user_id", "id")
CREATE INDEX "jobs_planned_duration" on "jobs" ("account_id", "planned_duration", "id")
CREATE INDEX "jobs_planned_end_at" on "jobs" ("account_id", "planned_end_at", "id")
CREATE INDEX "jobs_planned_start_at" on "jobs" ("account_id", "planned_start_at", "id")
CREATE INDEX "jobs_pricebook_id" on "jobs" ("account_id", "pricebook_id", "id")
CREATE INDEX "jobs_progress_state" on "jobs" ("account_id", "progress_state", "id")
CREATE INDEX "jobs_recurrence_id" on "jobs" ("account_id", "recurrence_id", "id")
CREATE INDEX "jobs_scheduled_at" on "jobs" ("account_id", "scheduled_at", "id")
CREATE TRIGGER "jobs_search" after insert on "jobs" when new."third_party_id" is not null or new."template_name" is not null or new."notes" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'jobs', new.id) on conflict do nothing; end
CREATE TRIGGER "jobs_search_delete" after delete on "jobs" when old."third_party_id" is not null or old."template_name" is not null or old."notes" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'jobs', old.id) on conflict do nothing; end
CREATE TRIGGER "jobs_search_update" after update of "third_party_id","template_name","notes" on "jobs" when old."third_party_id" is not new."third_party_id" or old."template_name" is not new."template_name" or old."notes" is not new."notes" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'jobs', new.id) on conflict do nothing; end
CREATE INDEX "jobs_site_id" on "jobs" ("account_id", "site_id", "id")
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

looks (
  account_id INTEGER not null,
  at TEXT not null,
  name TEXT not null,
  user_id INTEGER not null,
  primary key (account_id, user_id, at, name)
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
  revision INTEGER,
  thread_id TEXT not null,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "messages_created_at" on "messages" ("account_id", "created_at", "id")
CREATE INDEX "messages_from_user_id" on "messages" ("account_id", "from_user_id", "id")
CREATE TRIGGER "messages_search" after insert on "messages" when new."body" is not null or new."from_user_name" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'messages', new.id) on conflict do nothing; end
CREATE TRIGGER "messages_search_delete" after delete on "messages" when old."body" is not null or old."from_user_name" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'messages', old.id) on conflict do nothing; end
CREATE TRIGGER "messages_search_update" after update of "body","from_user_name" on "messages" when old."body" is not new."body" or old."from_user_name" is not new."from_user_name" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'messages', new.id) on conflict do nothing; end
CREATE INDEX "messages_thread_id" on "messages" ("account_id", "thread_id", "id")
CREATE INDEX "messages_updated_at" on "messages" ("account_id", "updated_at", "id")

notices (
  account_id INTEGER not null,
  answered_at TEXT,
  call_id TEXT,
  call_needed_at TEXT,
  called_at TEXT,
  conflict_id TEXT,
  created_at TEXT not null,
  deleted_at TEXT,
  due_at TEXT,
  id TEXT not null,
  job_id INTEGER,
  kind TEXT not null,
  mail_attempts INTEGER not null,
  mail_error TEXT,
  mailed_at TEXT,
  message_id TEXT,
  new_plan TEXT,
  old_plan TEXT,
  push_attempts INTEGER not null,
  push_error TEXT,
  pushed_at TEXT,
  read_at TEXT,
  received_at TEXT,
  revision INTEGER,
  silent INTEGER not null,
  updated_at TEXT not null,
  user_id INTEGER not null,
  primary key (account_id, id)
) strict
CREATE INDEX "notices_call_id" on "notices" ("account_id", "call_id", "id")
CREATE INDEX "notices_conflict_id" on "notices" ("account_id", "conflict_id", "id")
CREATE INDEX "notices_created_at" on "notices" ("account_id", "created_at", "id")
CREATE INDEX "notices_due_at" on "notices" ("account_id", "due_at", "id")
CREATE INDEX "notices_job_id" on "notices" ("account_id", "job_id", "id")
CREATE INDEX "notices_message_id" on "notices" ("account_id", "message_id", "id")
CREATE INDEX "notices_updated_at" on "notices" ("account_id", "updated_at", "id")
CREATE INDEX "notices_user_id" on "notices" ("account_id", "user_id", "id")

pricebooks (
  account_id INTEGER not null,
  created_at TEXT not null,
  deleted_at TEXT,
  description TEXT,
  id INTEGER not null,
  name TEXT not null,
  pricebook_items TEXT,
  revision INTEGER,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "pricebooks_created_at" on "pricebooks" ("account_id", "created_at", "id")
CREATE UNIQUE INDEX "pricebooks_name_key" on "pricebooks" ("account_id", "name") where deleted_at is null
CREATE TRIGGER "pricebooks_search" after insert on "pricebooks" when new."name" is not null or new."description" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'pricebooks', new.id) on conflict do nothing; end
CREATE TRIGGER "pricebooks_search_delete" after delete on "pricebooks" when old."name" is not null or old."description" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'pricebooks', old.id) on conflict do nothing; end
CREATE TRIGGER "pricebooks_search_update" after update of "name","description" on "pricebooks" when old."name" is not new."name" or old."description" is not new."description" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'pricebooks', new.id) on conflict do nothing; end
CREATE INDEX "pricebooks_updated_at" on "pricebooks" ("account_id", "updated_at", "id")

push_subscriptions (
  account_id INTEGER not null,
  base_url TEXT,
  created_at TEXT not null,
  deleted_at TEXT,
  endpoint TEXT not null,
  id INTEGER not null,
  keys TEXT,
  revision INTEGER,
  session_id INTEGER not null,
  updated_at TEXT not null,
  user_id INTEGER not null,
  primary key (account_id, id)
) strict
CREATE INDEX "push_subscriptions_created_at" on "push_subscriptions" ("account_id", "created_at", "id")
CREATE UNIQUE INDEX "push_subscriptions_endpoint_key" on "push_subscriptions" ("account_id", "endpoint") where deleted_at is null
CREATE INDEX "push_subscriptions_session_id" on "push_subscriptions" ("account_id", "session_id", "id")
CREATE INDEX "push_subscriptions_updated_at" on "push_subscriptions" ("account_id", "updated_at", "id")
CREATE INDEX "push_subscriptions_user_id" on "push_subscriptions" ("account_id", "user_id", "id")

recurrence_groups (
  account_id INTEGER not null,
  group_id INTEGER not null,
  recurrence_id INTEGER not null,
  primary key (account_id, recurrence_id, group_id)
) strict without rowid
CREATE INDEX "recurrence_groups_back" on "recurrence_groups" ("account_id", "group_id", "recurrence_id")

recurrences (
  account_id INTEGER not null,
  ahead_days INTEGER not null,
  created_at TEXT not null,
  customer_id INTEGER,
  deleted_at TEXT,
  due_at TEXT,
  exceptions TEXT,
  first_at TEXT not null,
  id INTEGER not null,
  made_through TEXT,
  name TEXT not null,
  next_dates TEXT,
  notes TEXT,
  on_holiday TEXT not null,
  paused INTEGER not null,
  planned_duration INTEGER,
  problem TEXT,
  revision INTEGER,
  rule TEXT not null,
  site_id INTEGER,
  template_id INTEGER,
  updated_at TEXT not null,
  worker_id INTEGER,
  primary key (account_id, id)
) strict
CREATE INDEX "recurrences_created_at" on "recurrences" ("account_id", "created_at", "id")
CREATE INDEX "recurrences_customer_id" on "recurrences" ("account_id", "customer_id", "id")
CREATE INDEX "recurrences_due_at" on "recurrences" ("account_id", "due_at", "id")
CREATE TRIGGER "recurrences_search" after insert on "recurrences" when new."name" is not null or new."notes" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'recurrences', new.id) on conflict do nothing; end
CREATE TRIGGER "recurrences_search_delete" after delete on "recurrences" when old."name" is not null or old."notes" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'recurrences', old.id) on conflict do nothing; end
CREATE TRIGGER "recurrences_search_update" after update of "name","notes" on "recurrences" when old."name" is not new."name" or old."notes" is not new."notes" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'recurrences', new.id) on conflict do nothing; end
CREATE INDEX "recurrences_site_id" on "recurrences" ("account_id", "site_id", "id")
CREATE INDEX "recurrences_template_id" on "recurrences" ("account_id", "template_id", "id")
CREATE INDEX "recurrences_updated_at" on "recurrences" ("account_id", "updated_at", "id")
CREATE INDEX "recurrences_worker_id" on "recurrences" ("account_id", "worker_id", "id")

request_counts (
  account_id INTEGER not null,
  caller TEXT not null,
  count INTEGER not null,
  minute INTEGER not null,
  primary key (account_id, caller, minute)
) strict without rowid

search_pending (
  account_id INTEGER not null,
  id TEXT not null,
  table TEXT not null,
  primary key (account_id, table, id)
) strict without rowid

search_rows (
  id TEXT not null,
  n INTEGER,
  scope INTEGER not null,
  primary key (n)
) strict

search_scopes (
  account_id INTEGER not null,
  scope INTEGER not null,
  table TEXT not null,
  primary key (account_id, table)
) strict without rowid

search_texts (
  text ,
  primary key ()
)

search_texts_config (
  k  not null,
  v ,
  primary key (k)
) without rowid

search_texts_data (
  block BLOB,
  id INTEGER,
  primary key (id)
)

search_texts_docsize (
  id INTEGER,
  origin INTEGER,
  sz BLOB,
  primary key (id)
)

search_texts_idx (
  pgno ,
  segid  not null,
  term  not null,
  primary key (segid, term)
) without rowid

second_factors (
  account_id INTEGER not null,
  confirmed_at TEXT,
  created_at TEXT not null,
  deleted_at TEXT,
  id INTEGER not null,
  recovery_digests TEXT,
  revision INTEGER,
  secret TEXT not null,
  updated_at TEXT not null,
  used_step INTEGER not null,
  user_id INTEGER not null,
  primary key (account_id, id)
) strict
CREATE INDEX "second_factors_created_at" on "second_factors" ("account_id", "created_at", "id")
CREATE INDEX "second_factors_updated_at" on "second_factors" ("account_id", "updated_at", "id")
CREATE INDEX "second_factors_user_id" on "second_factors" ("account_id", "user_id", "id")

sessions (
  account_id INTEGER not null,
  created_at TEXT not null,
  deleted_at TEXT,
  device TEXT,
  digest TEXT not null,
  expires_at TEXT not null,
  id INTEGER not null,
  last_used_at TEXT,
  revision INTEGER,
  updated_at TEXT not null,
  user_id INTEGER not null,
  primary key (account_id, id)
) strict
CREATE INDEX "sessions_created_at" on "sessions" ("account_id", "created_at", "id")
CREATE UNIQUE INDEX "sessions_digest_key" on "sessions" ("account_id", "digest") where deleted_at is null
CREATE INDEX "sessions_updated_at" on "sessions" ("account_id", "updated_at", "id")
CREATE INDEX "sessions_user_id" on "sessions" ("account_id", "user_id", "id")

sign_in_links (
  account_id INTEGER not null,
  created_at TEXT not null,
  deleted_at TEXT,
  digest TEXT not null,
  expires_at TEXT not null,
  id INTEGER not null,
  kind TEXT not null,
  mail_attempts INTEGER not null,
  mail_due_at TEXT,
  mail_error TEXT,
  mailed_at TEXT,
  revision INTEGER,
  updated_at TEXT not null,
  user_id INTEGER not null,
  primary key (account_id, id)
) strict
CREATE INDEX "sign_in_links_created_at" on "sign_in_links" ("account_id", "created_at", "id")
CREATE UNIQUE INDEX "sign_in_links_digest_key" on "sign_in_links" ("account_id", "digest") where deleted_at is null
CREATE INDEX "sign_in_links_mail_due_at" on "sign_in_links" ("account_id", "mail_due_at", "id")
CREATE INDEX "sign_in_links_updated_at" on "sign_in_links" ("account_id", "updated_at", "id")
CREATE INDEX "sign_in_links_user_id" on "sign_in_links" ("account_id", "user_id", "id")

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
  revision INTEGER,
  sha256 TEXT not null,
  size INTEGER not null,
  taken_at TEXT,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "signatures_created_at" on "signatures" ("account_id", "created_at", "id")
CREATE INDEX "signatures_job_id" on "signatures" ("account_id", "job_id", "id")
CREATE INDEX "signatures_sha256" on "signatures" ("account_id", "sha256", "id")
CREATE INDEX "signatures_updated_at" on "signatures" ("account_id", "updated_at", "id")

sites (
  access_notes TEXT,
  account_id INTEGER not null,
  contact TEXT,
  created_at TEXT not null,
  customer_id INTEGER,
  deleted_at TEXT,
  id INTEGER not null,
  location TEXT,
  name TEXT not null,
  revision INTEGER,
  third_party_id TEXT,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "sites_created_at" on "sites" ("account_id", "created_at", "id")
CREATE INDEX "sites_customer_id" on "sites" ("account_id", "customer_id", "id")
CREATE TRIGGER "sites_search" after insert on "sites" when new."name" is not null or new."third_party_id" is not null or new."access_notes" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'sites', new.id) on conflict do nothing; end
CREATE TRIGGER "sites_search_delete" after delete on "sites" when old."name" is not null or old."third_party_id" is not null or old."access_notes" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'sites', old.id) on conflict do nothing; end
CREATE TRIGGER "sites_search_update" after update of "name","third_party_id","access_notes" on "sites" when old."name" is not new."name" or old."third_party_id" is not new."third_party_id" or old."access_notes" is not new."access_notes" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'sites', new.id) on conflict do nothing; end
CREATE UNIQUE INDEX "sites_third_party_id_key" on "sites" ("account_id", "third_party_id") where deleted_at is null
CREATE INDEX "sites_updated_at" on "sites" ("account_id", "updated_at", "id")

tags (
  account_id INTEGER not null,
  created_at TEXT not null,
  created_by_user_id INTEGER,
  deleted_at TEXT,
  description TEXT,
  expires INTEGER not null,
  id INTEGER not null,
  name TEXT not null,
  revision INTEGER,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "tags_created_at" on "tags" ("account_id", "created_at", "id")
CREATE INDEX "tags_created_by_user_id" on "tags" ("account_id", "created_by_user_id", "id")
CREATE UNIQUE INDEX "tags_name_key" on "tags" ("account_id", "name") where deleted_at is null
CREATE TRIGGER "tags_search" after insert on "tags" when new."name" is not null or new."description" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'tags', new.id) on conflict do nothing; end
CREATE TRIGGER "tags_search_delete" after delete on "tags" when old."name" is not null or old."description" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'tags', old.id) on conflict do nothing; end
CREATE TRIGGER "tags_search_update" after update of "name","description" on "tags" when old."name" is not new."name" or old."description" is not new."description" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'tags', new.id) on conflict do nothing; end
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
  revision INTEGER,
  steps TEXT,
  updated_at TEXT not null,
  worker_id INTEGER,
  primary key (account_id, id)
) strict
CREATE INDEX "templates_created_at" on "templates" ("account_id", "created_at", "id")
CREATE INDEX "templates_customer_id" on "templates" ("account_id", "customer_id", "id")
CREATE UNIQUE INDEX "templates_name_key" on "templates" ("account_id", "name") where deleted_at is null
CREATE INDEX "templates_pricebook_id" on "templates" ("account_id", "pricebook_id", "id")
CREATE TRIGGER "templates_search" after insert on "templates" when new."name" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'templates', new.id) on conflict do nothing; end
CREATE TRIGGER "templates_search_delete" after delete on "templates" when old."name" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'templates', old.id) on conflict do nothing; end
CREATE TRIGGER "templates_search_update" after update of "name" on "templates" when old."name" is not new."name" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'templates', new.id) on conflict do nothing; end
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
  revision INTEGER,
  subject TEXT,
  summary TEXT,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "threads_created_at" on "threads" ("account_id", "created_at", "id")
CREATE INDEX "threads_created_by_user_id" on "threads" ("account_id", "created_by_user_id", "id")
CREATE INDEX "threads_job_id" on "threads" ("account_id", "job_id", "id")
CREATE INDEX "threads_last_reply_user_id" on "threads" ("account_id", "last_reply_user_id", "id")
CREATE TRIGGER "threads_search" after insert on "threads" when new."subject" is not null or new."summary" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'threads', new.id) on conflict do nothing; end
CREATE TRIGGER "threads_search_delete" after delete on "threads" when old."subject" is not null or old."summary" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'threads', old.id) on conflict do nothing; end
CREATE TRIGGER "threads_search_update" after update of "subject","summary" on "threads" when old."subject" is not new."subject" or old."summary" is not new."summary" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'threads', new.id) on conflict do nothing; end
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
  preferences TEXT,
  revision INTEGER,
  shift_off_until TEXT,
  shift_on INTEGER not null,
  start_location TEXT,
  third_party_id TEXT,
  updated_at TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "users_created_at" on "users" ("account_id", "created_at", "id")
CREATE UNIQUE INDEX "users_email_key" on "users" ("account_id", lower("email")) where deleted_at is null
CREATE INDEX "users_login" on "users" (lower("email")) where deleted_at is null
CREATE UNIQUE INDEX "users_name_key" on "users" ("account_id", "name") where deleted_at is null
CREATE TRIGGER "users_search" after insert on "users" when new."name" is not null or new."email" is not null or new."phone" is not null or new."notes" is not null or new."third_party_id" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'users', new.id) on conflict do nothing; end
CREATE TRIGGER "users_search_delete" after delete on "users" when old."name" is not null or old."email" is not null or old."phone" is not null or old."notes" is not null or old."third_party_id" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'users', old.id) on conflict do nothing; end
CREATE TRIGGER "users_search_update" after update of "name","email","phone","notes","third_party_id" on "users" when old."name" is not new."name" or old."email" is not new."email" or old."phone" is not new."phone" or old."notes" is not new."notes" or old."third_party_id" is not new."third_party_id" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'users', new.id) on conflict do nothing; end
CREATE INDEX "users_shift_off_until" on "users" ("account_id", "shift_off_until", "id")
CREATE UNIQUE INDEX "users_third_party_id_key" on "users" ("account_id", "third_party_id") where deleted_at is null
CREATE INDEX "users_updated_at" on "users" ("account_id", "updated_at", "id")

views (
  account_id INTEGER not null,
  columns TEXT,
  created_at TEXT not null,
  deleted_at TEXT,
  id INTEGER not null,
  name TEXT not null,
  permission TEXT,
  query TEXT,
  revision INTEGER,
  screen TEXT not null,
  shared INTEGER not null,
  sort_by TEXT,
  updated_at TEXT not null,
  user_id INTEGER,
  primary key (account_id, id)
) strict
CREATE INDEX "views_created_at" on "views" ("account_id", "created_at", "id")
CREATE INDEX "views_screen" on "views" ("account_id", "screen", "id")
CREATE TRIGGER "views_search" after insert on "views" when new."name" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'views', new.id) on conflict do nothing; end
CREATE TRIGGER "views_search_delete" after delete on "views" when old."name" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'views', old.id) on conflict do nothing; end
CREATE TRIGGER "views_search_update" after update of "name" on "views" when old."name" is not new."name" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'views', new.id) on conflict do nothing; end
CREATE INDEX "views_updated_at" on "views" ("account_id", "updated_at", "id")
CREATE INDEX "views_user_id" on "views" ("account_id", "user_id", "id")

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
  old_secret TEXT,
  old_secret_until TEXT,
  revision INTEGER,
  secret TEXT,
  updated_at TEXT not null,
  url TEXT not null,
  primary key (account_id, id)
) strict
CREATE INDEX "webhooks_created_at" on "webhooks" ("account_id", "created_at", "id")
CREATE TRIGGER "webhooks_search" after insert on "webhooks" when new."url" is not null or new."description" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'webhooks', new.id) on conflict do nothing; end
CREATE TRIGGER "webhooks_search_delete" after delete on "webhooks" when old."url" is not null or old."description" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'webhooks', old.id) on conflict do nothing; end
CREATE TRIGGER "webhooks_search_update" after update of "url","description" on "webhooks" when old."url" is not new."url" or old."description" is not new."description" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'webhooks', new.id) on conflict do nothing; end
CREATE INDEX "webhooks_updated_at" on "webhooks" ("account_id", "updated_at", "id")

working_weeks (
  account_id INTEGER not null,
  created_at TEXT not null,
  deleted_at TEXT,
  group_id INTEGER,
  id INTEGER not null,
  name TEXT,
  revision INTEGER,
  spans TEXT,
  updated_at TEXT not null,
  user_id INTEGER,
  primary key (account_id, id)
) strict
CREATE INDEX "working_weeks_created_at" on "working_weeks" ("account_id", "created_at", "id")
CREATE INDEX "working_weeks_group_id" on "working_weeks" ("account_id", "group_id", "id")
CREATE TRIGGER "working_weeks_search" after insert on "working_weeks" when new."name" is not null begin insert into search_pending (account_id, "table", id) values (new.account_id, 'working_weeks', new.id) on conflict do nothing; end
CREATE TRIGGER "working_weeks_search_delete" after delete on "working_weeks" when old."name" is not null begin insert into search_pending (account_id, "table", id) values (old.account_id, 'working_weeks', old.id) on conflict do nothing; end
CREATE TRIGGER "working_weeks_search_update" after update of "name" on "working_weeks" when old."name" is not new."name" begin insert into search_pending (account_id, "table", id) values (new.account_id, 'working_weeks', new.id) on conflict do nothing; end
CREATE INDEX "working_weeks_updated_at" on "working_weeks" ("account_id", "updated_at", "id")
CREATE INDEX "working_weeks_user_id" on "working_weeks" ("account_id", "user_id", "id")
