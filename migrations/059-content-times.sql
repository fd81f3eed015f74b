-- When what clients read of a product beside prices and stock last changed, in accounts whose payloads say it.

alter table payload_content add column updated_at timestamptz;
comment on column payload_content.updated_at is 'what the body says as updated_at; null: it does not have the member';
