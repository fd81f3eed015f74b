-- The evidence on which a mirrored picture is given up, and copies that an account keeps as its own.

alter table image add column looked_at timestamptz;
alter table image add column failing_ms bigint not null default 0;
alter table image add column failing_reasons jsonb not null default '{}';
alter table image add column told_at timestamptz;
alter table image add column adopted_at timestamptz;
comment on column image.looked_at is 'when it was asked for last, with whatever result';
comment on column image.failing_ms is 'for how long looks have failed in a row; the time between two looks counts for a day at most';
comment on column image.failing_reasons is 'the reasons of the looks that failed in a row, with how many there were of each';
comment on column image.told_at is 'when the owners were told that its source fails; null after a success';
comment on column image.adopted_at is 'when the account made the copy its own: it is never fetched again';
comment on column image.next_fetch_at is 'when it is fetched next; during a fetch the end of the lease; null: never, because it is the account''s own';
-- New pictures are asked for before those that are only looked at again.
create index image_new on image (account_id, host, next_fetch_at) where fetched_at is null and failures = 0 and next_fetch_at is not null;
-- Copies whose source fails: few, beside all pictures.
create index image_failing on image (account_id, host, failed_since) where state = 'mirrored' and failed_since is not null;

alter table account add column adopt_images boolean not null default false;
comment on column account.adopt_images is 'a copy whose source is dead is kept as the account''s own instead of being left out';

alter table notice drop constraint notice_kind_check;
alter table notice add constraint notice_kind_check check (kind in ('failing', 'paused', 'recovered', 'images_full', 'images_resumed', 'images_failing',
  'source_failing', 'source_held', 'source_recovered'));
