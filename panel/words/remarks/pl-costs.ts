import type { COST_QUESTIONS } from '../../../contract/remarks/cost-questions.ts'
import type { RemarkSentences } from '../remarks.ts'

/** Questions about the cost in a proposed mapping, in Polish. */
export const costRemarks = {
  no_cost: () => 'Nie znaleziono kolumny z ceną zakupu. Która to kolumna?',
  cost_by_word: ({ column }, { q }) => `${isPaid(q(column))} Wskazuje na to tylko jedno słowo w nazwie kolumny.`,
  cost_by_word_among: ({ column, others }, { q, and }) =>
    `Ile płacisz za artykuły? Jako cenę zakupu przyjęto ${q(column)}, na co wskazuje tylko jedno słowo w nazwie. Kwoty są też w: ${and(others)}.`,
  cost_by_values: ({ column }, { q }) => `${isPaid(q(column))} Wskazują na to tylko wartości w tej kolumnie.`,
  cost_below_recommended: ({ column, recommended }, { q }) =>
    `${isPaid(q(column))} Wskazuje na to to, że kwoty są przeważnie niższe niż w ${q(recommended)}.`,
  cost_probably_selling: ({ column, lower }, { q }) =>
    `${isPaid(q(column))} Prawdopodobnie to cena, po której sprzedaje sklep; w ${q(lower)} w każdym wierszu jest niższa kwota.`,
  cost_lower_of_two: ({ column, higher }, { q, and }) =>
    `${isPaid(q(column))} To niższa z kwot w kolumnach ${and([column, higher])}.`,
  cost_of_first_tier: ({ column }, { q }) =>
    `Czy ${q(column)} to cena, którą płacisz za jedną sztukę? To pierwsza z cen zależnych od ilości.`,
  cost_tiers: ({ columns }, { and, of }) =>
    `${of(columns.length, { one: 'Kolumnę', other: 'Kolumny' })} ${and(columns)} przyjęto jako ${of(columns.length, { one: 'cenę', other: 'ceny' })} sztuki od określonej ilości. Czy to się zgadza?`,
  cost_rate_alone: ({ column }, { q }) =>
    `${isPaid(q(column))} Żadna inna cena nie potwierdza, że nie jest to wartość procentowa ani kurs waluty.`,
  cost_beside_rate: ({ cost, rate }, { q, source }) =>
    `Cena zakupu jest odczytywana z ${source(cost)}. Czy tyle płacisz? Podobną nazwę ma też ${q(rate)}, ale jej wartości nie są cenami niższymi w każdym wierszu.`,
  cost_zero: ({ zeros, articles, column }, { n, q, of }) =>
    `${n(zeros)} z ${n(articles)} artykułów ${of(zeros, { one: 'ma', few: 'mają', many: 'ma', other: 'ma' })} w ${q(column)} cenę zakupu 0. Czy to znaczy, że cena zakupu nie jest znana? Jeśli tak, zamień w mapowaniu wartość 0 w ${q(column)} na pustą.`,
  cost_of_few: ({ priced, rows, column, others }, { n, q, and, of }) =>
    `Tylko ${n(priced)} z ${n(rows)} wierszy ${of(priced, { one: 'ma', few: 'mają', many: 'ma', other: 'ma' })} cenę zakupu w ${q(column)}, a kwoty są też w: ${and(others)}. Którą z nich płacisz?`,
  cost_is_selling: ({ column, paid }, { q }) =>
    `Cena zakupu jest odczytywana z ${q(column)}, czyli z ceny, której żąda sklep. Kwota, którą płacisz, jest w ${q(paid)}, ale w wielu wierszach jest tam pusto albo 0. Czy to się zgadza?`,
  cost_of_two: ({ column, other }, { q }) =>
    `Cena zakupu jest odczytywana z ${q(column)}. Czy tyle płacisz, czy raczej tyle, ile podaje ${q(other)}, kolumna o podobnej nazwie?`,
  cost_beside_others: ({ column, others }, { q, and }) =>
    `Cena zakupu jest odczytywana z ${q(column)}, a inne ceny są w: ${and(others)}. Którą z nich płacisz?`,
  cost_of_group: ({ column, others }, { q, and }) =>
    `Cena zakupu jest odczytywana z ${q(column)}, a inne ceny, być może dla innych grup klientów, są w: ${and(others)}. Którą z nich płacisz?`,
  cost_of_piece_or_carton: ({ column, single }, { q }) =>
    `Cena zakupu jest odczytywana z ${q(column)}, a w ${q(single)} jest inna cena, za jedną sztukę. Czy ${q(column)} dotyczy artykułu, jaki sprzedajesz, czy kartonu?`,
  cost_on_sale: ({ sale, price }, { q }) =>
    `Cena zakupu jest odczytywana z ${q(sale)}, jeśli jest tam kwota, a w pozostałych wierszach z ${q(price)}. Czy tyle płacisz?`,
  cost_in_currencies: ({ currency, cost, others }, { source, words }) =>
    `Cena zakupu jest w ${currency}, z ${source(cost)}; inne kolumny podają ją w ${words(others)}. Czy płacisz w tej walucie?`,
  cost_first_of: ({ most, column }, { n, q, of }) =>
    `Cena zakupu to pierwsza z maksymalnie ${n(most)} ${of(most, { one: 'wartości', other: 'wartości' })} w ${q(column)}, pozostałe są pomijane. W mapowaniu jako JSON "take" wybiera inną.`,
  cost_per_unit: ({ column, unit }, { q }) =>
    `${q(column)} przyjęto jako cenę za tyle sztuk, ile podaje ${q(unit)}, i przez tę liczbę podzielono. Czy to się zgadza?`,
  cost_of_many: ({ column, pieces }, { n, q, of }) =>
    `${q(column)} przyjęto jako cenę za ${n(pieces)} ${of(pieces, { one: 'sztukę', few: 'sztuki', many: 'sztuk', other: 'sztuki' })} i podzielono przez tę liczbę. Czy to się zgadza?`,
  cost_of_pack: ({ column }, { q }) =>
    `Czy kwotę z ${q(column)} płacisz za artykuł? Kolumna nazywa się jak cena opakowania, a stan może być liczony w sztukach.`,
  currency_unread: ({ column, example }, { q }) =>
    `Jaką walutą jest ${q(example)} w ${q(column)}? Ceny zakupu są importowane bez niej. Przypisz walucie tę kolumnę, a jej wartości zastąp w mapowaniu kodami takimi jak EUR.`,
  cost_of_pieces: ({ column, unit, example }, { q }) =>
    `Czy kwotę z ${q(column)} płacisz za jedną sztukę? W ${q(unit)} jest ${q(example)}: może to być cena za tyle sztuk.`,
  cost_less_discount: ({ column, discount }, { q }) =>
    `${q(column)} przyjęto jako cenę katalogową, od której odejmowany jest rabat z ${q(discount)}. Czy to się zgadza?`,
  cost_before_discount: ({ column, discount }, { q }) =>
    `Cena zakupu jest odczytywana z ${q(column)}, a rabat z ${q(discount)} nie jest odejmowany. Czy jest już uwzględniony w cenie?`,
  cost_before_discounts: ({ column, example, discount }, { q }) =>
    `Cena zakupu jest odczytywana z ${q(column)}, a rabaty takie jak ${q(example)} w ${q(discount)} nie są odejmowane. Czy są już uwzględnione w cenie?`,
  cost_of_line: ({ total, price, pieces }, { q }) =>
    `${q(total)} to w każdym wierszu ${q(price)} razy ${q(pieces)}; odczytywana jest cena jednej sztuki. Czy to się zgadza?`,
  cost_in_hundredths: ({ column }, { q }) =>
    `Wartości w ${q(column)} przyjęto jako setne części waluty. Czy to się zgadza?`,
  cost_perhaps_in_hundredths: ({ column, digits }, { q }) =>
    `Czy wartości w ${q(column)} to setne części waluty, na przykład grosze? W ${q(digits)} w każdym wierszu jest 2. Kwoty są odczytywane bez zmian.`,
  cost_perhaps_percent: ({ column, others }, { q, and }) =>
    `Czy w ${q(column)} są ceny, czy procenty? Jest tam kilka różnych liczb całkowitych poniżej 100, które nie zależą od cen w: ${and(others)}.`,
} satisfies Pick<RemarkSentences, keyof typeof COST_QUESTIONS>

const isPaid = (column: string) => `Czy ${column} to cena, którą płacisz za artykuły?`
