-- What a person has made is listed when the password is changed.
create index token_created_by on token (created_by) where created_by is not null;
