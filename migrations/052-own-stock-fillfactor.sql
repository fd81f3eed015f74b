-- Bulks write the stock of all products again and again: with room on the page a row's new version needs no entry in the index (3 to 4 % of the
-- updates had it, 98 to 100 % have). Pages that are full already get it as they are written.
alter table own_stock set (fillfactor = 50);
