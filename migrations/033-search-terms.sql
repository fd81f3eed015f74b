-- Words inside words, corrections and categories for the panel's search: the words of an account, each once; and the last digits of EANs.

create table search_term (
  account_id bigint not null,
  term text collate "C" not null,
  grams tsvector not null,
  primary key (account_id, term)
);
select distribute_table('search_term');
alter table search_term add foreign key (account_id) references account;
create index search_term_grams on search_term using gin (grams) with (gin_pending_list_limit = 1024);
comment on table search_term is 'words and categories that products are found by, each once per account: a search inside words, or with typing errors, looks here and then asks product_search for what it found';
comment on column search_term.term is 'as in product_search.words, without the account: a word of letters, or a category and all above it';
comment on column search_term.grams is 'every three letters that follow each other, its beginning and end included, each with the account in front';

-- Accounts whose terms are still to be collected from product_search; a second time a day later, for what processes of an older release wrote meanwhile.
create table search_fill (
  account_id bigint not null,
  due_at timestamptz not null,
  after_id bigint not null default 0,
  primary key (account_id, due_at)
);
select distribute_table('search_fill');
alter table search_fill add foreign key (account_id) references account;
insert into search_fill (account_id, due_at) select account_id, now() from account_inputs;
insert into search_fill (account_id, due_at) select account_id, now() + interval '1 day' from account_inputs;
comment on table search_fill is 'accounts whose products were there before search_term: up to which product its terms have been collected; the row goes when all are';

create index product_ean_ending on product_ean (account_id, reverse(ean) collate "C");
