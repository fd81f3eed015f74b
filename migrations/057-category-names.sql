-- The account's own categories get names by language, the shop's own ID of each, and an order among those next to it.

alter table category add column names jsonb not null default '{}';
alter table category add column external_id text;
alter table category add column position integer not null default 0;
alter table category add constraint category_external_id_check check (length(external_id) between 1 and 200);
create unique index category_external_id on category (account_id, external_id) where external_id is not null;
comment on column category.names is 'locale -> name; where a locale has none, the last level of the path';
comment on column category.external_id is 'the shop''s own ID';
comment on column category.position is 'among categories with the same one above, then by path';
