-- A mail about security goes to people of several accounts: one row for each language in which they are written to.

alter table security_mail add column language text not null default 'en';
comment on column security_mail.language is 'of its recipients, in which sentence and more are; those of releases before are in English';
