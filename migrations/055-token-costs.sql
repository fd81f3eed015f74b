-- Tokens that read finished products without what these cost the merchant.

alter table token add column sees_costs boolean not null default true;
alter table token add constraint token_sees_costs_check check (sees_costs or access = 'connector');
comment on column token.sees_costs is 'false: what it reads has no purchase prices; only for tokens that read';
