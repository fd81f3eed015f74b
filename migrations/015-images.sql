-- Pictures: what is known of each original, which products name it, and at which pace hosts are asked for theirs.

alter table account_inputs add column image_base text;
comment on column account_inputs.image_base is 'where mirrored pictures are served, without a slash at the end; empty: pictures are not mirrored; null: no process has said so yet';

create table image (
  account_id bigint not null,
  url_hash uuid not null,
  url text not null,
  host text not null,
  state text not null default 'pending',
  hash text,
  type text,
  width integer,
  height integer,
  bytes bigint,
  reason text,
  etag text,
  last_modified text,
  failures integer not null default 0,
  failed_since timestamptz,
  fetched_at timestamptz,
  next_fetch_at timestamptz default now(),
  lease_id uuid,
  primary key (account_id, url_hash),
  constraint image_state check (state in ('pending', 'mirrored', 'dead')),
  constraint image_bytes check ((state = 'mirrored') = (hash is not null) and (hash is null) = (type is null) and (hash is null) = (bytes is null))
);
select distribute_table('image');
alter table image add foreign key (account_id) references account;
create index image_due on image (account_id, next_fetch_at) where next_fetch_at is not null;
create index image_host_due on image (account_id, host, next_fetch_at) where next_fetch_at is not null;
create index image_stored on image (hash, bytes) where hash is not null;
comment on table image is 'an original picture of an account by its URL: pending (the original is shown), mirrored (our copy is shown) or dead (it is left out)';
comment on column image.url_hash is 'the first half of the SHA-256 of the URL without its fragment';
comment on column image.hash is 'SHA-256 of the bytes, which are in the store under this name';
comment on column image.reason is 'why it is dead, or why it could not be fetched the last time';
comment on column image.failures is 'refusals and failures in a row';
comment on column image.failed_since is 'when the first of the failures in a row was; null after a success';
comment on column image.next_fetch_at is 'when it is fetched next; during a fetch the end of the lease; null: never, because the owner uploaded it';

create table product_image (
  account_id bigint not null,
  product_id bigint not null,
  url_hash uuid not null,
  primary key (account_id, product_id, url_hash)
);
select distribute_table('product_image');
alter table product_image add foreign key (account_id) references account;
alter table product_image add foreign key (account_id, product_id) references product;
alter table product_image add foreign key (account_id, url_hash) references image;
create index product_image_products on product_image (account_id, url_hash, product_id);
comment on table product_image is 'the pictures that a product''s offers and overrides name; written when the product is shelved';

create table image_unused (
  account_id bigint not null,
  hash text not null,
  since timestamptz not null default now(),
  primary key (account_id, hash)
);
select distribute_table('image_unused');
alter table image_unused add foreign key (account_id) references account;
comment on table image_unused is 'when an account stopped to use a stored picture: its bytes are kept for a while, for a restored backup';

-- Of the installation, not of an account: a supplier's host must not be asked more often because several accounts buy there.
create table image_host (
  host text not null,
  slot integer not null,
  free_at timestamptz not null default now(),
  lease_id uuid,
  failures integer not null default 0,
  primary key (host, slot)
);
comment on table image_host is 'requests to a host at the same time, over all processes: whoever fetches from it holds one of its slots';
comment on column image_host.free_at is 'when the slot may be taken: the end of its lease, or of the pause after it';

-- A notice may be about an account's pictures.
alter table notice alter column endpoint_id drop not null;
alter table notice drop constraint notice_kind_check;
alter table notice add constraint notice_kind_check check (kind in ('failing', 'paused', 'recovered', 'images_full', 'images_resumed'));
