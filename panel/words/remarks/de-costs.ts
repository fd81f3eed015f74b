import type { COST_QUESTIONS } from '../../../contract/remarks/cost-questions.ts'
import type { RemarkSentences } from '../remarks.ts'

/** Questions about the cost in a proposed mapping, in German. */
export const costRemarks = {
  no_cost: () => 'Für den Einkaufspreis wurde keine Spalte gefunden. Welche ist es?',
  cost_by_word: ({ column }, { q }) => `${isPaid(q(column))} Dafür spricht nur ein Wort im Namen der Spalte.`,
  cost_by_word_among: ({ column, others }, { q, and }) =>
    `Was zahlen Sie für die Artikel? ${q(column)} gilt als Einkaufspreis; dafür spricht nur ein Wort im Namen der Spalte. Beträge stehen auch in ${and(others)}.`,
  cost_by_values: ({ column }, { q }) => `${isPaid(q(column))} Dafür sprechen nur die Werte der Spalte.`,
  cost_below_recommended: ({ column, recommended }, { q }) =>
    `${isPaid(q(column))} Dafür spricht, dass die Beträge meist unter denen in ${q(recommended)} liegen.`,
  cost_probably_selling: ({ column, lower }, { q }) =>
    `${isPaid(q(column))} Wahrscheinlich ist es der Verkaufspreis des Shops; in ${q(lower)} steht in jeder Zeile ein niedrigerer Betrag.`,
  cost_lower_of_two: ({ column, higher }, { q, and }) =>
    `${isPaid(q(column))} Es ist der niedrigere der Beträge in ${and([column, higher])}.`,
  cost_of_first_tier: ({ column }, { q }) =>
    `Ist ${q(column)} der Preis, den Sie für ein Stück zahlen? Es ist der erste von mehreren Preisen nach Menge.`,
  cost_tiers: ({ columns }, { and, of }) =>
    `${and(columns)} ${of(columns.length, { one: 'gilt als Preis', other: 'gelten als Preise' })} eines Stücks ab einer bestimmten Menge. Ist das richtig?`,
  cost_rate_alone: ({ column }, { q }) =>
    `${isPaid(q(column))} Es gibt keinen anderen Preis, der zeigt, dass es weder ein Prozentsatz noch ein Wechselkurs ist.`,
  cost_beside_rate: ({ cost, rate }, { q, source }) =>
    `Der Einkaufspreis wird aus ${source(cost)} gelesen. Zahlen Sie das? Auch ${q(rate)} heißt so, aber die Werte dort sind nicht die eines Preises, der in jeder Zeile niedriger ist.`,
  cost_zero: ({ zeros, articles, column }, { n, q, of }) =>
    `${n(zeros)} von ${n(articles)} Artikeln ${of(zeros, { one: 'kostet', other: 'kosten' })} nach ${q(column)} 0. Heißt das, dass der Einkaufspreis nicht bekannt ist? Dann ersetzen Sie in der Zuordnung bei ${q(column)} den Wert 0 durch einen leeren.`,
  cost_of_few: ({ priced, rows, column, others }, { n, q, and, of }) =>
    `Nur ${n(priced)} von ${n(rows)} Zeilen ${of(priced, { one: 'hat', other: 'haben' })} in ${q(column)} einen Einkaufspreis, und Beträge stehen auch in ${and(others)}. Welchen zahlen Sie?`,
  cost_is_selling: ({ column, paid }, { q }) =>
    `Der Einkaufspreis wird aus ${q(column)} gelesen, dem Verkaufspreis. Gezahlt wird ${q(paid)}; dort steht aber in vielen Zeilen nichts oder 0. Ist das richtig?`,
  cost_of_two: ({ column, other }, { q }) =>
    `Der Einkaufspreis wird aus ${q(column)} gelesen. Zahlen Sie diesen Betrag oder den in ${q(other)}, einer Spalte, die auch so heißt?`,
  cost_beside_others: ({ column, others }, { q, and }) =>
    `Der Einkaufspreis wird aus ${q(column)} gelesen; in ${and(others)} stehen andere Preise. Welchen zahlen Sie?`,
  cost_of_group: ({ column, others }, { q, and }) =>
    `Der Einkaufspreis wird aus ${q(column)} gelesen; in ${and(others)} stehen andere Preise, vielleicht die anderer Kundengruppen. Welchen zahlen Sie?`,
  cost_of_piece_or_carton: ({ column, single }, { q }) =>
    `Der Einkaufspreis wird aus ${q(column)} gelesen; in ${q(single)} steht ein anderer, der für ein Stück gilt. Gilt ${q(column)} für einen Artikel, wie Sie ihn führen, oder für einen Karton?`,
  cost_on_sale: ({ sale, price }, { q }) =>
    `Der Einkaufspreis wird aus ${q(sale)} gelesen, wo dort ein Betrag steht, und sonst aus ${q(price)}. Zahlen Sie das?`,
  cost_in_currencies: ({ currency, cost, others }, { source, words }) =>
    `Der Einkaufspreis ist in ${currency}, aus ${source(cost)}; andere Spalten haben ihn in ${words(others)}. Zahlen Sie in dieser Währung?`,
  cost_first_of: ({ most, column }, { n, q }) =>
    `Der Einkaufspreis ist der erste von bis zu ${n(most)} Werten in ${q(column)}, die anderen werden ausgelassen. In der Zuordnung als JSON nimmt „take“ einen anderen.`,
  cost_per_unit: ({ column, unit }, { q }) =>
    `${q(column)} gilt als Preis für so viele Stück, wie in ${q(unit)} stehen, und wird dadurch geteilt. Ist das richtig?`,
  cost_of_many: ({ column, pieces }, { n, q }) =>
    `${q(column)} gilt als Preis für ${n(pieces)} Stück und wird dadurch geteilt. Ist das richtig?`,
  cost_of_pack: ({ column }, { q }) =>
    `Zahlen Sie den Betrag in ${q(column)} für einen Artikel? Die Spalte heißt wie der Preis einer Packung, und der Bestand kann in Stück gezählt sein.`,
  currency_unread: ({ column, example }, { q }) =>
    `Welche Währung ist ${q(example)} in ${q(column)}? Die Einkaufspreise werden ohne Währung importiert. Ordnen Sie der Währung diese Spalte zu, und ersetzen Sie ihre Werte in der Zuordnung durch Codes wie EUR.`,
  cost_of_pieces: ({ column, unit, example }, { q }) =>
    `Zahlen Sie den Betrag in ${q(column)} für ein Stück? In ${q(unit)} steht ${q(example)}: Er kann der Preis für so viele sein.`,
  cost_less_discount: ({ column, discount }, { q }) =>
    `${q(column)} gilt als Listenpreis, von dem der Rabatt in ${q(discount)} abgezogen wird. Ist das richtig?`,
  cost_before_discount: ({ column, discount }, { q }) =>
    `Der Einkaufspreis wird aus ${q(column)} gelesen, und der Rabatt in ${q(discount)} wird nicht abgezogen. Ist er im Preis schon enthalten?`,
  cost_before_discounts: ({ column, example, discount }, { q }) =>
    `Der Einkaufspreis wird aus ${q(column)} gelesen, und Rabatte wie ${q(example)} in ${q(discount)} werden nicht abgezogen. Sind sie im Preis schon enthalten?`,
  cost_of_line: ({ total, price, pieces }, { q }) =>
    `${q(total)} ist in jeder Zeile ${q(price)} mal ${q(pieces)}; gelesen wird der Preis für ein Stück. Ist das richtig?`,
  cost_in_hundredths: ({ column }, { q }) =>
    `Die Werte in ${q(column)} gelten als Hundertstel der Währung. Ist das richtig?`,
  cost_perhaps_in_hundredths: ({ column, digits }, { q }) =>
    `Sind die Werte in ${q(column)} Hundertstel der Währung, zum Beispiel Cent? In ${q(digits)} steht in jeder Zeile 2. Die Beträge werden gelesen, wie sie sind.`,
  cost_perhaps_percent: ({ column, others }, { q, and }) =>
    `Stehen in ${q(column)} Preise oder Prozentsätze? Es sind wenige verschiedene ganze Zahlen unter 100, die nicht mit den Preisen in ${and(others)} steigen.`,
} satisfies Pick<RemarkSentences, keyof typeof COST_QUESTIONS>

const isPaid = (column: string) => `Ist ${column} der Preis, den Sie für die Artikel zahlen?`
