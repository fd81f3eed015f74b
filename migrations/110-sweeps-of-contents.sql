-- A sweep may be one of content halves alone: of settings on which no price depends, so that it computes none. A release before this one, running
-- beside it during an upgrade, resolves both halves for it, which writes the same.
alter table sweep drop constraint sweep_half_check;
alter table sweep add constraint sweep_half_check check (half in ('price', 'content'));
