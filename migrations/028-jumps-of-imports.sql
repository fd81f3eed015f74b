-- What else holds an import of a supplier back until it is confirmed; also of suppliers that are known.
alter table supplier add column prices_jump_share_max numeric(5, 4) not null default 0.2;
alter table supplier add column prices_jump_factor numeric(8, 4) not null default 3;
alter table supplier add column emptied_share_max numeric(5, 4) not null default 0.5;
alter table supplier add column swapped_share_max numeric(5, 4) not null default 0.2;
alter table supplier add constraint supplier_import_jumps check (prices_jump_share_max between 0 and 1 and prices_jump_factor > 1
  and emptied_share_max between 0 and 1 and swapped_share_max between 0 and 1);
comment on column supplier.prices_jump_share_max is 'an import that would change more than this share of the known costs by more than prices_jump_factor is held until it is confirmed';
comment on column supplier.prices_jump_factor is 'the factor by which a cost must rise or fall for prices_jump_share_max';
comment on column supplier.emptied_share_max is 'the same for known titles, pictures, EANs and quantities, each by itself, that would be emptied';
comment on column supplier.swapped_share_max is 'the same for costs and quantities that would be exchanged';
