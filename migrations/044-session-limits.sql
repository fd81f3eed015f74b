-- A session takes over the shorter limits of the accounts that it has opened.

alter table session add column idle_minutes integer;
comment on column session.idle_minutes is 'after how long without use it ends, by the shortest of the accounts that it has opened; null: as long as sessions last';
