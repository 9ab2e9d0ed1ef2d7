absences (
  account_id int8 not null,
  created_at timestamptz not null,
  created_by_user_id int8,
  deleted_at timestamptz,
  from timestamptz not null,
  id int8 not null,
  kind text not null,
  note text,
  revision int8,
  state text not null,
  to timestamptz not null,
  updated_at timestamptz not null,
  user_id int8,
  primary key (account_id, id)
)
CREATE INDEX absences_created_at ON public.absences USING btree (account_id, created_at, id)
CREATE INDEX absences_created_by_user_id ON public.absences USING btree (account_id, created_by_user_id, id)
CREATE INDEX absences_from ON public.absences USING btree (account_id, "from", id)
CREATE INDEX absences_search ON public.absences USING gin (note gin_trgm_ops)
CREATE INDEX absences_to ON public.absences USING btree (account_id, "to", id)
CREATE INDEX absences_updated_at ON public.absences USING btree (account_id, updated_at, id)
CREATE INDEX absences_user_id ON public.absences USING btree (account_id, user_id, id)

accounts (
  account_id int8 not null,
  created_at timestamptz not null,
  currency text not null,
  deleted_at timestamptz,
  features jsonb,
  id int8 not null,
  name text not null,
  rescue_key text,
  revision int8,
  settings jsonb,
  time_zone text not null,
  units text not null,
  updated_at timestamptz not null,
  primary key (account_id, id)
)
CREATE INDEX accounts_created_at ON public.accounts USING btree (account_id, created_at, id)
CREATE INDEX accounts_search ON public.accounts USING gin (name gin_trgm_ops)
CREATE INDEX accounts_updated_at ON public.accounts USING btree (account_id, updated_at, id)

answers (
  account_id int8 not null,
  body text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  fingerprint text not null,
  headers jsonb not null,
  key text not null,
  status int8 not null,
  primary key (account_id, key)
)
CREATE INDEX answers_expires_at ON public.answers USING btree (account_id, expires_at, created_at)

api_key_groups (
  account_id int8 not null,
  api_key_id int8 not null,
  group_id int8 not null,
  primary key (account_id, api_key_id, group_id)
)
CREATE INDEX api_key_groups_back ON public.api_key_groups USING btree (account_id, group_id, api_key_id)

api_keys (
  account_id int8 not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  digest text not null,
  expires_at timestamptz,
  gzip_optional bool,
  id int8 not null,
  last_used_at timestamptz,
  limited bool not null,
  name text not null,
  prefix text not null,
  read_only bool not null,
  revision int8,
  revoked_at timestamptz,
  updated_at timestamptz not null,
  primary key (account_id, id)
)
CREATE INDEX api_keys_created_at ON public.api_keys USING btree (account_id, created_at, id)
CREATE UNIQUE INDEX api_keys_digest_key ON public.api_keys USING btree (account_id, digest) WHERE (deleted_at IS NULL)
CREATE INDEX api_keys_search ON public.api_keys USING gin (name gin_trgm_ops)
CREATE INDEX api_keys_updated_at ON public.api_keys USING btree (account_id, updated_at, id)

asset_groups (
  account_id int8 not null,
  asset_id int8 not null,
  group_id int8 not null,
  primary key (account_id, asset_id, group_id)
)
CREATE INDEX asset_groups_back ON public.asset_groups USING btree (account_id, group_id, asset_id)

asset_tags (
  account_id int8 not null,
  asset_id int8 not null,
  tag_id int8 not null,
  primary key (account_id, asset_id, tag_id)
)
CREATE INDEX asset_tags_back ON public.asset_tags USING btree (account_id, tag_id, asset_id)

assets (
  account_id int8 not null,
  attachment_id uuid,
  cost numeric,
  created_at timestamptz not null,
  customer_id int8,
  deleted_at timestamptz,
  enabled bool not null,
  id int8 not null,
  location jsonb,
  model text,
  name text not null,
  notes text,
  revision int8,
  serial text,
  third_party_id text,
  updated_at timestamptz not null,
  primary key (account_id, id)
)
CREATE INDEX assets_attachment_id ON public.assets USING btree (account_id, attachment_id, id)
CREATE INDEX assets_created_at ON public.assets USING btree (account_id, created_at, id)
CREATE INDEX assets_customer_id ON public.assets USING btree (account_id, customer_id, id)
CREATE UNIQUE INDEX assets_name_key ON public.assets USING btree (account_id, name) WHERE (deleted_at IS NULL)
CREATE INDEX assets_search ON public.assets USING gin (name gin_trgm_ops, model gin_trgm_ops, serial gin_trgm_ops, notes gin_trgm_ops, third_party_id gin_trgm_ops)
CREATE UNIQUE INDEX assets_third_party_id_key ON public.assets USING btree (account_id, third_party_id) WHERE (deleted_at IS NULL)
CREATE INDEX assets_updated_at ON public.assets USING btree (account_id, updated_at, id)

attachments (
  account_id int8 not null,
  asset_id int8,
  created_at timestamptz not null,
  deleted_at timestamptz,
  id uuid not null,
  job_id int8,
  revision int8,
  sha256 text not null,
  size int8 not null,
  taken_at timestamptz,
  updated_at timestamptz not null,
  primary key (account_id, id)
)
CREATE INDEX attachments_asset_id ON public.attachments USING btree (account_id, asset_id, id)
CREATE INDEX attachments_created_at ON public.attachments USING btree (account_id, created_at, id)
CREATE INDEX attachments_job_id ON public.attachments USING btree (account_id, job_id, id)
CREATE INDEX attachments_sha256 ON public.attachments USING btree (account_id, sha256, id)
CREATE INDEX attachments_updated_at ON public.attachments USING btree (account_id, updated_at, id)

conflicts (
  account_id int8 not null,
  base jsonb,
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by_user_id int8,
  deleted_at timestamptz,
  device_id text,
  id uuid not null,
  job_id int8 not null,
  kind text not null,
  mine jsonb,
  mine_at timestamptz not null,
  mine_by_user_id int8,
  path text,
  record text not null,
  record_id text not null,
  revision int8,
  state text not null,
  theirs jsonb,
  theirs_at timestamptz,
  theirs_by_user_id int8,
  updated_at timestamptz not null,
  primary key (account_id, id)
)
CREATE INDEX conflicts_created_at ON public.conflicts USING btree (account_id, created_at, id)
CREATE INDEX conflicts_decided_by_user_id ON public.conflicts USING btree (account_id, decided_by_user_id, id)
CREATE INDEX conflicts_job_id ON public.conflicts USING btree (account_id, job_id, id)
CREATE INDEX conflicts_mine_by_user_id ON public.conflicts USING btree (account_id, mine_by_user_id, id)
CREATE INDEX conflicts_search ON public.conflicts USING gin (path gin_trgm_ops)
CREATE INDEX conflicts_state ON public.conflicts USING btree (account_id, state, id)
CREATE INDEX conflicts_theirs_by_user_id ON public.conflicts USING btree (account_id, theirs_by_user_id, id)
CREATE INDEX conflicts_updated_at ON public.conflicts USING btree (account_id, updated_at, id)

counters (
  name text not null,
  value int8 not null,
  primary key (name)
)

customer_groups (
  account_id int8 not null,
  customer_id int8 not null,
  group_id int8 not null,
  primary key (account_id, customer_id, group_id)
)
CREATE INDEX customer_groups_back ON public.customer_groups USING btree (account_id, group_id, customer_id)

customers (
  account_id int8 not null,
  billing_contact jsonb,
  created_at timestamptz not null,
  deleted_at timestamptz,
  delivery_contact jsonb,
  id int8 not null,
  name text not null,
  notes text,
  pricebook_id int8,
  revision int8,
  third_party_id text,
  updated_at timestamptz not null,
  primary key (account_id, id)
)
CREATE INDEX customers_created_at ON public.customers USING btree (account_id, created_at, id)
CREATE INDEX customers_name ON public.customers USING btree (account_id, name, id)
CREATE INDEX customers_pricebook_id ON public.customers USING btree (account_id, pricebook_id, id)
CREATE INDEX customers_search ON public.customers USING gin (name gin_trgm_ops, notes gin_trgm_ops, third_party_id gin_trgm_ops)
CREATE UNIQUE INDEX customers_third_party_id_key ON public.customers USING btree (account_id, third_party_id) WHERE (deleted_at IS NULL)
CREATE INDEX customers_updated_at ON public.customers USING btree (account_id, updated_at, id)

deliveries (
  account_id int8 not null,
  attempted_at timestamptz,
  attempts int8 not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  delivered_at timestamptz,
  error text,
  event_id int8 not null,
  event_type text not null,
  id uuid not null,
  next_attempt_at timestamptz,
  response_body text,
  response_status int8,
  revision int8,
  status text not null,
  updated_at timestamptz not null,
  webhook_id int8 not null,
  primary key (account_id, id)
)
CREATE INDEX deliveries_created_at ON public.deliveries USING btree (account_id, created_at, id)
CREATE INDEX deliveries_event_id ON public.deliveries USING btree (account_id, event_id, id)
CREATE INDEX deliveries_search ON public.deliveries USING gin (event_type gin_trgm_ops, error gin_trgm_ops)
CREATE INDEX deliveries_status ON public.deliveries USING btree (account_id, status, id)
CREATE INDEX deliveries_updated_at ON public.deliveries USING btree (account_id, updated_at, id)
CREATE INDEX deliveries_webhook_id ON public.deliveries USING btree (account_id, webhook_id, id)
CREATE INDEX deliveries_webhook_id_next_attempt_at ON public.deliveries USING btree (account_id, webhook_id, next_attempt_at, id)

devices (
  account_id int8 not null,
  app_version text,
  battery_percent int8,
  created_at timestamptz not null,
  deleted_at timestamptz,
  device_id text,
  heard_at timestamptz,
  id uuid not null,
  name text,
  oldest_waiting_at timestamptz,
  permissions jsonb,
  refused_entries int8 not null,
  revision int8,
  session_id int8,
  sign_out_asked_at timestamptz,
  signed_out_at timestamptz,
  storage_persistent bool,
  storage_quota_bytes int8,
  storage_used_bytes int8,
  updated_at timestamptz not null,
  user_id int8 not null,
  waiting_bytes int8 not null,
  waiting_entries int8 not null,
  primary key (account_id, id)
)
CREATE INDEX devices_created_at ON public.devices USING btree (account_id, created_at, id)
CREATE INDEX devices_search ON public.devices USING gin (name gin_trgm_ops, app_version gin_trgm_ops)
CREATE INDEX devices_session_id ON public.devices USING btree (account_id, session_id, id)
CREATE INDEX devices_updated_at ON public.devices USING btree (account_id, updated_at, id)
CREATE INDEX devices_user_id ON public.devices USING btree (account_id, user_id, id)

equipment (
  account_id int8 not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  id int8 not null,
  model text,
  name text not null,
  notes text,
  revision int8,
  serial text,
  third_party_id text,
  updated_at timestamptz not null,
  primary key (account_id, id)
)
CREATE INDEX equipment_created_at ON public.equipment USING btree (account_id, created_at, id)
CREATE UNIQUE INDEX equipment_name_key ON public.equipment USING btree (account_id, name) WHERE (deleted_at IS NULL)
CREATE INDEX equipment_search ON public.equipment USING gin (name gin_trgm_ops, model gin_trgm_ops, serial gin_trgm_ops, notes gin_trgm_ops, third_party_id gin_trgm_ops)
CREATE UNIQUE INDEX equipment_third_party_id_key ON public.equipment USING btree (account_id, third_party_id) WHERE (deleted_at IS NULL)
CREATE INDEX equipment_updated_at ON public.equipment USING btree (account_id, updated_at, id)

equipment_groups (
  account_id int8 not null,
  equipment_id int8 not null,
  group_id int8 not null,
  primary key (account_id, equipment_id, group_id)
)
CREATE INDEX equipment_groups_back ON public.equipment_groups USING btree (account_id, group_id, equipment_id)

equipment_tags (
  account_id int8 not null,
  equipment_id int8 not null,
  tag_id int8 not null,
  primary key (account_id, equipment_id, tag_id)
)
CREATE INDEX equipment_tags_back ON public.equipment_tags USING btree (account_id, tag_id, equipment_id)

events (
  account_id int8 not null,
  action text not null,
  actor text not null,
  actor_id int8,
  at timestamptz not null,
  call_id text not null,
  changes jsonb not null,
  reason text,
  record text not null,
  record_id text not null,
  reverses text,
  seq int8 not null,
  primary key (account_id, seq)
)
CREATE INDEX events_call ON public.events USING btree (account_id, call_id, seq)
CREATE INDEX events_record ON public.events USING btree (account_id, record, record_id, seq)
CREATE INDEX events_reverses ON public.events USING btree (account_id, reverses, seq) WHERE (reverses IS NOT NULL)

groups (
  account_id int8 not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  description text,
  id int8 not null,
  name text not null,
  revision int8,
  updated_at timestamptz not null,
  primary key (account_id, id)
)
CREATE INDEX groups_created_at ON public.groups USING btree (account_id, created_at, id)
CREATE UNIQUE INDEX groups_name_key ON public.groups USING btree (account_id, name) WHERE (deleted_at IS NULL)
CREATE INDEX groups_search ON public.groups USING gin (name gin_trgm_ops, description gin_trgm_ops)
CREATE INDEX groups_updated_at ON public.groups USING btree (account_id, updated_at, id)

imports (
  account_id int8 not null,
  key text not null,
  record text not null,
  record_id text not null,
  primary key (account_id, record, key)
)

job_assets (
  account_id int8 not null,
  asset_id int8 not null,
  job_id int8 not null,
  primary key (account_id, job_id, asset_id)
)
CREATE INDEX job_assets_back ON public.job_assets USING btree (account_id, asset_id, job_id)

job_equipment (
  account_id int8 not null,
  equipment_id int8 not null,
  job_id int8 not null,
  primary key (account_id, job_id, equipment_id)
)
CREATE INDEX job_equipment_back ON public.job_equipment USING btree (account_id, equipment_id, job_id)

job_groups (
  account_id int8 not null,
  group_id int8 not null,
  job_id int8 not null,
  primary key (account_id, job_id, group_id)
)
CREATE INDEX job_groups_back ON public.job_groups USING btree (account_id, group_id, job_id)

job_tags (
  account_id int8 not null,
  job_id int8 not null,
  tag_id int8 not null,
  primary key (account_id, job_id, tag_id)
)
CREATE INDEX job_tags_back ON public.job_tags USING btree (account_id, tag_id, job_id)

jobs (
  account_id int8 not null,
  actual_duration int8,
  actual_start_at timestamptz,
  cancel_reason text,
  canceled_at timestamptz,
  completed_at timestamptz,
  confirm_by timestamptz,
  confirmation text,
  confirmed_at timestamptz,
  contact jsonb,
  created_at timestamptz not null,
  custom_fields jsonb,
  customer_id int8,
  decline_reason text,
  deleted_at timestamptz,
  due_by timestamptz,
  due_from timestamptz,
  id int8 not null,
  last_action_at timestamptz,
  line_items jsonb,
  locked_at timestamptz,
  locked_by_user_id int8,
  notes text,
  pause_reason text,
  paused_at timestamptz,
  paused_seconds int8 not null,
  planned_duration int8,
  planned_end_at timestamptz,
  planned_start_at timestamptz,
  pricebook_id int8,
  priority text,
  progress_state text not null,
  proof_of_delivery jsonb,
  published_at timestamptz,
  published_plan jsonb,
  recurrence_date text,
  recurrence_id int8,
  resumed_at timestamptz,
  revision int8,
  scheduled_at timestamptz,
  site_id int8,
  state text not null,
  steps jsonb,
  template_id int8,
  template_name text,
  third_party_id text,
  time_windows jsonb,
  updated_at timestamptz not null,
  worker_id int8,
  primary key (account_id, id)
)
CREATE INDEX jobs_completed_at ON public.jobs USING btree (account_id, completed_at, id)
CREATE INDEX jobs_confirm_by ON public.jobs USING btree (account_id, confirm_by, id)
CREATE INDEX jobs_created_at ON public.jobs USING btree (account_id, created_at, id)
CREATE INDEX jobs_customer_id ON public.jobs USING btree (account_id, customer_id, id)
CREATE INDEX jobs_due_by ON public.jobs USING btree (account_id, due_by, id)
CREATE INDEX jobs_last_action_at ON public.jobs USING btree (account_id, last_action_at, id)
CREATE INDEX jobs_locked_by_user_id ON public.jobs USING btree (account_id, locked_by_user_id, id)
CREATE INDEX jobs_planned_duration ON public.jobs USING btree (account_id, planned_duration, id)
CREATE INDEX jobs_planned_end_at ON public.jobs USING btree (account_id, planned_end_at, id)
CREATE INDEX jobs_planned_start_at ON public.jobs USING btree (account_id, planned_start_at, id)
CREATE INDEX jobs_pricebook_id ON public.jobs USING btree (account_id, pricebook_id, id)
CREATE INDEX jobs_progress_state ON public.jobs USING btree (account_id, progress_state, id)
CREATE INDEX jobs_recurrence_id ON public.jobs USING btree (account_id, recurrence_id, id)
CREATE INDEX jobs_scheduled_at ON public.jobs USING btree (account_id, scheduled_at, id)
CREATE INDEX jobs_search ON public.jobs USING gin (third_party_id gin_trgm_ops, template_name gin_trgm_ops, notes gin_trgm_ops)
CREATE INDEX jobs_site_id ON public.jobs USING btree (account_id, site_id, id)
CREATE INDEX jobs_state ON public.jobs USING btree (account_id, state, id)
CREATE INDEX jobs_template_id ON public.jobs USING btree (account_id, template_id, id)
CREATE INDEX jobs_template_name ON public.jobs USING btree (account_id, template_name, id)
CREATE UNIQUE INDEX jobs_third_party_id_key ON public.jobs USING btree (account_id, third_party_id) WHERE (deleted_at IS NULL)
CREATE INDEX jobs_updated_at ON public.jobs USING btree (account_id, updated_at, id)
CREATE INDEX jobs_worker_id ON public.jobs USING btree (account_id, worker_id, id)
CREATE INDEX jobs_worker_id_planned_end_at ON public.jobs USING btree (account_id, worker_id, planned_end_at, id)

journals (
  account_id int8 not null,
  seq int8 not null,
  primary key (account_id)
)

looks (
  account_id int8 not null,
  at timestamptz not null,
  name text not null,
  user_id int8 not null,
  primary key (account_id, user_id, at, name)
)

message_reads (
  account_id int8 not null,
  message_id uuid not null,
  user_id int8 not null,
  primary key (account_id, message_id, user_id)
)
CREATE INDEX message_reads_back ON public.message_reads USING btree (account_id, user_id, message_id)

message_receipts (
  account_id int8 not null,
  message_id uuid not null,
  user_id int8 not null,
  primary key (account_id, message_id, user_id)
)
CREATE INDEX message_receipts_back ON public.message_receipts USING btree (account_id, user_id, message_id)

messages (
  account_id int8 not null,
  body text not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  from_user_id int8,
  from_user_name text,
  id uuid not null,
  revision int8,
  thread_id uuid not null,
  updated_at timestamptz not null,
  primary key (account_id, id)
)
CREATE INDEX messages_created_at ON public.messages USING btree (account_id, created_at, id)
CREATE INDEX messages_from_user_id ON public.messages USING btree (account_id, from_user_id, id)
CREATE INDEX messages_search ON public.messages USING gin (body gin_trgm_ops, from_user_name gin_trgm_ops)
CREATE INDEX messages_thread_id ON public.messages USING btree (account_id, thread_id, id)
CREATE INDEX messages_updated_at ON public.messages USING btree (account_id, updated_at, id)

notices (
  account_id int8 not null,
  answered_at timestamptz,
  call_id text,
  call_needed_at timestamptz,
  called_at timestamptz,
  conflict_id uuid,
  created_at timestamptz not null,
  deleted_at timestamptz,
  due_at timestamptz,
  id uuid not null,
  job_id int8,
  kind text not null,
  mail_attempts int8 not null,
  mail_error text,
  mailed_at timestamptz,
  message_id uuid,
  new_plan jsonb,
  old_plan jsonb,
  push_attempts int8 not null,
  push_error text,
  pushed_at timestamptz,
  read_at timestamptz,
  received_at timestamptz,
  revision int8,
  silent bool not null,
  updated_at timestamptz not null,
  user_id int8 not null,
  primary key (account_id, id)
)
CREATE INDEX notices_call_id ON public.notices USING btree (account_id, call_id, id)
CREATE INDEX notices_conflict_id ON public.notices USING btree (account_id, conflict_id, id)
CREATE INDEX notices_created_at ON public.notices USING btree (account_id, created_at, id)
CREATE INDEX notices_due_at ON public.notices USING btree (account_id, due_at, id)
CREATE INDEX notices_job_id ON public.notices USING btree (account_id, job_id, id)
CREATE INDEX notices_message_id ON public.notices USING btree (account_id, message_id, id)
CREATE INDEX notices_updated_at ON public.notices USING btree (account_id, updated_at, id)
CREATE INDEX notices_user_id ON public.notices USING btree (account_id, user_id, id)

pricebooks (
  account_id int8 not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  description text,
  id int8 not null,
  name text not null,
  pricebook_items jsonb,
  revision int8,
  updated_at timestamptz not null,
  primary key (account_id, id)
)
CREATE INDEX pricebooks_created_at ON public.pricebooks USING btree (account_id, created_at, id)
CREATE UNIQUE INDEX pricebooks_name_key ON public.pricebooks USING btree (account_id, name) WHERE (deleted_at IS NULL)
CREATE INDEX pricebooks_search ON public.pricebooks USING gin (name gin_trgm_ops, description gin_trgm_ops)
CREATE INDEX pricebooks_updated_at ON public.pricebooks USING btree (account_id, updated_at, id)

push_subscriptions (
  account_id int8 not null,
  base_url text,
  created_at timestamptz not null,
  deleted_at timestamptz,
  endpoint text not null,
  id int8 not null,
  keys jsonb,
  revision int8,
  session_id int8 not null,
  updated_at timestamptz not null,
  user_id int8 not null,
  primary key (account_id, id)
)
CREATE INDEX push_subscriptions_created_at ON public.push_subscriptions USING btree (account_id, created_at, id)
CREATE UNIQUE INDEX push_subscriptions_endpoint_key ON public.push_subscriptions USING btree (account_id, endpoint) WHERE (deleted_at IS NULL)
CREATE INDEX push_subscriptions_session_id ON public.push_subscriptions USING btree (account_id, session_id, id)
CREATE INDEX push_subscriptions_updated_at ON public.push_subscriptions USING btree (account_id, updated_at, id)
CREATE INDEX push_subscriptions_user_id ON public.push_subscriptions USING btree (account_id, user_id, id)

recurrence_groups (
  account_id int8 not null,
  group_id int8 not null,
  recurrence_id int8 not null,
  primary key (account_id, recurrence_id, group_id)
)
CREATE INDEX recurrence_groups_back ON public.recurrence_groups USING btree (account_id, group_id, recurrence_id)

recurrences (
  account_id int8 not null,
  ahead_days int8 not null,
  created_at timestamptz not null,
  customer_id int8,
  deleted_at timestamptz,
  due_at timestamptz,
  exceptions jsonb,
  first_at timestamptz not null,
  id int8 not null,
  made_through text,
  name text not null,
  next_dates jsonb,
  notes text,
  on_holiday text not null,
  paused bool not null,
  planned_duration int8,
  problem text,
  revision int8,
  rule text not null,
  site_id int8,
  template_id int8,
  updated_at timestamptz not null,
  worker_id int8,
  primary key (account_id, id)
)
CREATE INDEX recurrences_created_at ON public.recurrences USING btree (account_id, created_at, id)
CREATE INDEX recurrences_customer_id ON public.recurrences USING btree (account_id, customer_id, id)
CREATE INDEX recurrences_due_at ON public.recurrences USING btree (account_id, due_at, id)
CREATE INDEX recurrences_search ON public.recurrences USING gin (name gin_trgm_ops, notes gin_trgm_ops)
CREATE INDEX recurrences_site_id ON public.recurrences USING btree (account_id, site_id, id)
CREATE INDEX recurrences_template_id ON public.recurrences USING btree (account_id, template_id, id)
CREATE INDEX recurrences_updated_at ON public.recurrences USING btree (account_id, updated_at, id)
CREATE INDEX recurrences_worker_id ON public.recurrences USING btree (account_id, worker_id, id)

request_counts (
  account_id int8 not null,
  caller text not null,
  count int8 not null,
  minute int8 not null,
  primary key (account_id, caller, minute)
)

second_factors (
  account_id int8 not null,
  confirmed_at timestamptz,
  created_at timestamptz not null,
  deleted_at timestamptz,
  id int8 not null,
  recovery_digests text,
  revision int8,
  secret text not null,
  updated_at timestamptz not null,
  used_step int8 not null,
  user_id int8 not null,
  primary key (account_id, id)
)
CREATE INDEX second_factors_created_at ON public.second_factors USING btree (account_id, created_at, id)
CREATE INDEX second_factors_updated_at ON public.second_factors USING btree (account_id, updated_at, id)
CREATE INDEX second_factors_user_id ON public.second_factors USING btree (account_id, user_id, id)

sessions (
  account_id int8 not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  device text,
  digest text not null,
  expires_at timestamptz not null,
  id int8 not null,
  last_used_at timestamptz,
  revision int8,
  updated_at timestamptz not null,
  user_id int8 not null,
  primary key (account_id, id)
)
CREATE INDEX sessions_created_at ON public.sessions USING btree (account_id, created_at, id)
CREATE UNIQUE INDEX sessions_digest_key ON public.sessions USING btree (account_id, digest) WHERE (deleted_at IS NULL)
CREATE INDEX sessions_updated_at ON public.sessions USING btree (account_id, updated_at, id)
CREATE INDEX sessions_user_id ON public.sessions USING btree (account_id, user_id, id)

sign_in_links (
  account_id int8 not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  digest text not null,
  expires_at timestamptz not null,
  id int8 not null,
  kind text not null,
  mail_attempts int8 not null,
  mail_due_at timestamptz,
  mail_error text,
  mailed_at timestamptz,
  revision int8,
  updated_at timestamptz not null,
  user_id int8 not null,
  primary key (account_id, id)
)
CREATE INDEX sign_in_links_created_at ON public.sign_in_links USING btree (account_id, created_at, id)
CREATE UNIQUE INDEX sign_in_links_digest_key ON public.sign_in_links USING btree (account_id, digest) WHERE (deleted_at IS NULL)
CREATE INDEX sign_in_links_mail_due_at ON public.sign_in_links USING btree (account_id, mail_due_at, id)
CREATE INDEX sign_in_links_updated_at ON public.sign_in_links USING btree (account_id, updated_at, id)
CREATE INDEX sign_in_links_user_id ON public.sign_in_links USING btree (account_id, user_id, id)

sign_in_tries (
  count int8 not null,
  forget_at timestamptz not null,
  key text not null,
  until timestamptz not null,
  primary key (key)
)
CREATE INDEX sign_in_tries_forget_at ON public.sign_in_tries USING btree (forget_at)

signatures (
  account_id int8 not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  id uuid not null,
  job_id int8,
  revision int8,
  sha256 text not null,
  size int8 not null,
  taken_at timestamptz,
  updated_at timestamptz not null,
  primary key (account_id, id)
)
CREATE INDEX signatures_created_at ON public.signatures USING btree (account_id, created_at, id)
CREATE INDEX signatures_job_id ON public.signatures USING btree (account_id, job_id, id)
CREATE INDEX signatures_sha256 ON public.signatures USING btree (account_id, sha256, id)
CREATE INDEX signatures_updated_at ON public.signatures USING btree (account_id, updated_at, id)

sites (
  access_notes text,
  account_id int8 not null,
  contact jsonb,
  created_at timestamptz not null,
  customer_id int8,
  deleted_at timestamptz,
  id int8 not null,
  location jsonb,
  name text not null,
  revision int8,
  third_party_id text,
  updated_at timestamptz not null,
  primary key (account_id, id)
)
CREATE INDEX sites_created_at ON public.sites USING btree (account_id, created_at, id)
CREATE INDEX sites_customer_id ON public.sites USING btree (account_id, customer_id, id)
CREATE INDEX sites_search ON public.sites USING gin (name gin_trgm_ops, third_party_id gin_trgm_ops, access_notes gin_trgm_ops)
CREATE UNIQUE INDEX sites_third_party_id_key ON public.sites USING btree (account_id, third_party_id) WHERE (deleted_at IS NULL)
CREATE INDEX sites_updated_at ON public.sites USING btree (account_id, updated_at, id)

tags (
  account_id int8 not null,
  created_at timestamptz not null,
  created_by_user_id int8,
  deleted_at timestamptz,
  description text,
  expires bool not null,
  id int8 not null,
  name text not null,
  revision int8,
  updated_at timestamptz not null,
  primary key (account_id, id)
)
CREATE INDEX tags_created_at ON public.tags USING btree (account_id, created_at, id)
CREATE INDEX tags_created_by_user_id ON public.tags USING btree (account_id, created_by_user_id, id)
CREATE UNIQUE INDEX tags_name_key ON public.tags USING btree (account_id, name) WHERE (deleted_at IS NULL)
CREATE INDEX tags_search ON public.tags USING gin (name gin_trgm_ops, description gin_trgm_ops)
CREATE INDEX tags_updated_at ON public.tags USING btree (account_id, updated_at, id)

telemetry (
  account_id int8 not null,
  accuracy numeric,
  heading numeric,
  lat numeric not null,
  lng numeric not null,
  recorded_at timestamptz not null,
  speed numeric,
  user_id int8 not null,
  primary key (account_id, user_id, recorded_at)
)

template_groups (
  account_id int8 not null,
  group_id int8 not null,
  template_id int8 not null,
  primary key (account_id, template_id, group_id)
)
CREATE INDEX template_groups_back ON public.template_groups USING btree (account_id, group_id, template_id)

template_tags (
  account_id int8 not null,
  tag_id int8 not null,
  template_id int8 not null,
  primary key (account_id, template_id, tag_id)
)
CREATE INDEX template_tags_back ON public.template_tags USING btree (account_id, tag_id, template_id)

templates (
  account_id int8 not null,
  created_at timestamptz not null,
  custom_fields jsonb,
  customer_id int8,
  deleted_at timestamptz,
  enabled bool not null,
  id int8 not null,
  kind text not null,
  name text not null,
  planned_duration int8,
  pricebook_id int8,
  revision int8,
  steps jsonb,
  updated_at timestamptz not null,
  worker_id int8,
  primary key (account_id, id)
)
CREATE INDEX templates_created_at ON public.templates USING btree (account_id, created_at, id)
CREATE INDEX templates_customer_id ON public.templates USING btree (account_id, customer_id, id)
CREATE UNIQUE INDEX templates_name_key ON public.templates USING btree (account_id, name) WHERE (deleted_at IS NULL)
CREATE INDEX templates_pricebook_id ON public.templates USING btree (account_id, pricebook_id, id)
CREATE INDEX templates_search ON public.templates USING gin (name gin_trgm_ops)
CREATE INDEX templates_updated_at ON public.templates USING btree (account_id, updated_at, id)
CREATE INDEX templates_worker_id ON public.templates USING btree (account_id, worker_id, id)

thread_users (
  account_id int8 not null,
  thread_id uuid not null,
  user_id int8 not null,
  primary key (account_id, thread_id, user_id)
)
CREATE INDEX thread_users_back ON public.thread_users USING btree (account_id, user_id, thread_id)

threads (
  account_id int8 not null,
  all_workers bool not null,
  created_at timestamptz not null,
  created_by_user_id int8,
  deleted_at timestamptz,
  id uuid not null,
  job_id int8,
  last_reply_at timestamptz,
  last_reply_user_id int8,
  revision int8,
  subject text,
  summary text,
  updated_at timestamptz not null,
  primary key (account_id, id)
)
CREATE INDEX threads_created_at ON public.threads USING btree (account_id, created_at, id)
CREATE INDEX threads_created_by_user_id ON public.threads USING btree (account_id, created_by_user_id, id)
CREATE INDEX threads_job_id ON public.threads USING btree (account_id, job_id, id)
CREATE INDEX threads_last_reply_user_id ON public.threads USING btree (account_id, last_reply_user_id, id)
CREATE INDEX threads_search ON public.threads USING gin (subject gin_trgm_ops, summary gin_trgm_ops)
CREATE INDEX threads_updated_at ON public.threads USING btree (account_id, updated_at, id)

user_groups (
  account_id int8 not null,
  group_id int8 not null,
  user_id int8 not null,
  primary key (account_id, user_id, group_id)
)
CREATE INDEX user_groups_back ON public.user_groups USING btree (account_id, group_id, user_id)

user_tags (
  account_id int8 not null,
  expires_at timestamptz,
  tag_id int8 not null,
  user_id int8 not null,
  primary key (account_id, user_id, tag_id)
)
CREATE INDEX user_tags_back ON public.user_tags USING btree (account_id, tag_id, user_id)

users (
  account_id int8 not null,
  can_message bool not null,
  capacity int8,
  created_at timestamptz not null,
  deleted_at timestamptz,
  email text not null,
  enabled bool not null,
  end_location jsonb,
  id int8 not null,
  is_admin bool not null,
  is_worker bool not null,
  latest_telemetry jsonb,
  name text not null,
  notes text,
  password text,
  permissions jsonb,
  phone text,
  preferences jsonb,
  revision int8,
  shift_off_until timestamptz,
  shift_on bool not null,
  start_location jsonb,
  third_party_id text,
  updated_at timestamptz not null,
  primary key (account_id, id)
)
CREATE INDEX users_created_at ON public.users USING btree (account_id, created_at, id)
CREATE UNIQUE INDEX users_email_key ON public.users USING btree (account_id, lower(email)) WHERE (deleted_at IS NULL)
CREATE INDEX users_login ON public.users USING btree (lower(email)) WHERE (deleted_at IS NULL)
CREATE UNIQUE INDEX users_name_key ON public.users USING btree (account_id, name) WHERE (deleted_at IS NULL)
CREATE INDEX users_search ON public.users USING gin (name gin_trgm_ops, email gin_trgm_ops, phone gin_trgm_ops, notes gin_trgm_ops, third_party_id gin_trgm_ops)
CREATE INDEX users_shift_off_until ON public.users USING btree (account_id, shift_off_until, id)
CREATE UNIQUE INDEX users_third_party_id_key ON public.users USING btree (account_id, third_party_id) WHERE (deleted_at IS NULL)
CREATE INDEX users_updated_at ON public.users USING btree (account_id, updated_at, id)

views (
  account_id int8 not null,
  columns jsonb,
  created_at timestamptz not null,
  deleted_at timestamptz,
  id int8 not null,
  name text not null,
  permission text,
  query text,
  revision int8,
  screen text not null,
  shared bool not null,
  sort_by text,
  updated_at timestamptz not null,
  user_id int8,
  primary key (account_id, id)
)
CREATE INDEX views_created_at ON public.views USING btree (account_id, created_at, id)
CREATE INDEX views_screen ON public.views USING btree (account_id, screen, id)
CREATE INDEX views_search ON public.views USING gin (name gin_trgm_ops)
CREATE INDEX views_updated_at ON public.views USING btree (account_id, updated_at, id)
CREATE INDEX views_user_id ON public.views USING btree (account_id, user_id, id)

webhooks (
  account_id int8 not null,
  created_at timestamptz not null,
  cursor int8 not null,
  deleted_at timestamptz,
  description text,
  disabled_reason text,
  enabled bool not null,
  events jsonb,
  failing_since timestamptz,
  id int8 not null,
  old_secret text,
  old_secret_until timestamptz,
  revision int8,
  secret text,
  updated_at timestamptz not null,
  url text not null,
  primary key (account_id, id)
)
CREATE INDEX webhooks_created_at ON public.webhooks USING btree (account_id, created_at, id)
CREATE INDEX webhooks_search ON public.webhooks USING gin (url gin_trgm_ops, description gin_trgm_ops)
CREATE INDEX webhooks_updated_at ON public.webhooks USING btree (account_id, updated_at, id)

working_weeks (
  account_id int8 not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  group_id int8,
  id int8 not null,
  name text,
  revision int8,
  spans jsonb,
  updated_at timestamptz not null,
  user_id int8,
  primary key (account_id, id)
)
CREATE INDEX working_weeks_created_at ON public.working_weeks USING btree (account_id, created_at, id)
CREATE INDEX working_weeks_group_id ON public.working_weeks USING btree (account_id, group_id, id)
CREATE INDEX working_weeks_search ON public.working_weeks USING gin (name gin_trgm_ops)
CREATE INDEX working_weeks_updated_at ON public.working_weeks USING btree (account_id, updated_at, id)
CREATE INDEX working_weeks_user_id ON public.working_weeks USING btree (account_id, user_id, id)
