import { Migration } from '@medusajs/framework/mikro-orm/migrations'

/** Where the mirror stands, what it has of each store, and what was made in the shop for it. */
export class Migration20261128000000 extends Migration {
  override up(): void {
    this.addSql('create table if not exists shelfwire_store (store text primary key, position text not null)')
    this.addSql(
      'create table if not exists shelfwire_product (store text not null, id bigint not null, article text not null, payload text not null, primary key (store, id))',
    )
    this.addSql('create index if not exists shelfwire_product_by_article on shelfwire_product (article)')
    this.addSql('create table if not exists shelfwire_begun (article text primary key)')
    this.addSql(
      'create table if not exists shelfwire_made (kind text not null, key text not null, id text not null, primary key (kind, key))',
    )
    this.addSql(
      'create table if not exists shelfwire_refused (article text primary key, reason text not null, since timestamptz not null default now())',
    )
  }

  override down(): void {
    for (const table of ['store', 'product', 'begun', 'made', 'refused'])
      this.addSql(`drop table if exists shelfwire_${table}`)
  }
}
