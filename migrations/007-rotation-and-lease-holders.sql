-- When a new signing secret begins to sign, and which process holds a lease.

alter table endpoint add column switch_at timestamptz;
comment on column endpoint.switch_at is
  'before it, previous_secret signs X-Service-Signature and secret X-Service-Signature-Next; null: it is past. Without previous_secret it says nothing';
comment on column endpoint.previous_secret is
  'signs X-Service-Signature until switch_at, then X-Service-Signature-Previous until previous_until';

alter table endpoint_state add column lease_holder integer;
comment on column endpoint_state.lease_holder is
  'the process that took the lease, if it holds the advisory lock of this number: when that is free, the process has ended; null: nothing is known of it';
