-- What the values of an attribute are, and how they are written: without a type payloads have what they had.

alter table attribute_definition add column type text, add column separator text, add column decimal_sign text;
alter table attribute_definition
  add constraint attribute_definition_type_check check (type in ('text', 'number', 'boolean', 'list'));
alter table attribute_definition add constraint attribute_definition_decimal_sign_check check (decimal_sign in ('.', ','));
