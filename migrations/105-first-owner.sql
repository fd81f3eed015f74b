-- Links by which the first owner of an installation signs up.

alter table one_time_link drop constraint one_time_link_kind;
alter table one_time_link add constraint one_time_link_kind
  check (kind in ('invitation', 'password-reset', 'email-change', 'first-owner'));
alter table one_time_link drop constraint one_time_link_person;
alter table one_time_link add constraint one_time_link_person
  check ((kind in ('invitation', 'first-owner')) = (person_id is null));
comment on column one_time_link.email is 'that the link was mailed to; of an email-change the new one; empty of a first-owner, which is printed';
