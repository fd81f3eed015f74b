alter table operation add column traceparent text;
comment on column operation.traceparent is 'W3C trace context of the request that asked for it, where traces were on';
