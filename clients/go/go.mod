module shelfwire

go 1.19
