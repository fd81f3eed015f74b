-- Pictures that owners have sent are found by their age: those that no product names are removed after a while.
create index image_uploaded on image (account_id, fetched_at) where next_fetch_at is null;
