import type { RUN_FORMS } from './runs.ts'

export const runsPl = {
  held: '{sentence}. Nic nie zapisano. Potwierdź import, jeśli tak ma być',
  heldAlso: '{sentence}. Ponadto: {also}',
  heldEmpty:
    'pełny plik bez poprawnej oferty nadałby wszystkim dostępnym ofertom ({count}) stan 0. Sprawdź, czy dostawca wysłał właściwy plik, albo popraw mapowanie',
  heldEmptyRow:
    'pełny plik bez poprawnej oferty nadałby wszystkim dostępnym ofertom ({count}) stan 0 (odrzucone wiersze: {refused}, pierwszy: {row}). Sprawdź, czy dostawca wysłał właściwy plik, albo popraw mapowanie',
  heldRow: 'wiersz {line}, {field} {why}',
  heldEncoding:
    'plik jest w UTF-8, a jest odczytywany jako {encoding}, jak podano w mapowaniu lub w samym pliku. Błędnie odczytane znaki: {count}, na przykład {wrong} zamiast {right}. Wybierz w mapowaniu kodowanie UTF-8',
  heldEncodingDamaged:
    'plik jest w UTF-8 z uszkodzonymi bajtami ({broken}), a jest odczytywany jako {encoding}, jak podano w mapowaniu lub w samym pliku. Błędnie odczytane znaki: {count}, na przykład {wrong} zamiast {right}. Poproś dostawcę o nieuszkodzony plik i wybierz w mapowaniu kodowanie UTF-8',
  heldColumns:
    'żaden wiersz nie ma {list}, co wymienia mapowanie. Popraw pisownię albo zapytaj dostawcę, co się zmieniło; w mapowaniu można ustawić, że kolumny może brakować',
  heldRefused:
    '{count} z {of} wierszy nie można odczytać, więcej niż {limit} (pierwszy: {row}). Popraw mapowanie, pomiń w nim to, co nie jest artykułem, albo poproś dostawcę o poprawienie pliku',
  heldKeyless:
    '{sentence}. Wiersze bez czytelnego klucza: {count}. Po potwierdzeniu oferty, których plik nie wymienia, otrzymają stan 0',
  heldZeroed:
    'plik nadałby {count} z {of} dostępnych ofert stan 0, więcej niż {limit}. Sprawdź, czy jest pełny; plik z samymi zmianami importuje się jako taki',
  heldCosts:
    'przez ten plik {count} z {of} ofert straciłoby cenę zakupu, więcej niż {limit}. Sprawdź, czy kolumna z ceną zakupu jest wypełniona',
  heldCostsZero:
    'przez ten plik cena zakupu {count} z {of} ofert byłaby równa 0, więcej niż {limit}. Sprawdź, czy dostawca nie wpisuje 0, gdy nie podaje ceny',
  heldJumps:
    'przez ten plik cena zakupu {count} z {of} ofert wzrosłaby lub spadłaby więcej niż {factor} razy, więcej niż {limit}. Sprawdź znak dziesiętny, walutę, jednostkę i kolumnę z ceną zakupu',
  heldSwapped:
    'w pliku {count} z {of} ofert ma zamienione cenę zakupu i stan, więcej niż {limit}. Sprawdź, czy kolumny nie zamieniły się miejscami',
  heldTitles:
    'przez ten plik {count} z {of} ofert straciłoby tytuł, więcej niż {limit}. Sprawdź, czy kolumna tytułów jest wypełniona',
  heldPictures:
    'przez ten plik {count} z {of} ofert straciłoby zdjęcia, więcej niż {limit}. Sprawdź, czy kolumna zdjęć jest wypełniona',
  heldEans:
    'przez ten plik {count} z {of} ofert straciłoby kod EAN, więcej niż {limit}. Sprawdź, czy kolumna kodów EAN jest wypełniona',
  heldQuantities:
    'przez ten plik {count} z {of} ofert straciłoby stan, więcej niż {limit}. Sprawdź, czy kolumna stanów jest wypełniona',
  failed: 'import się nie udał: {why}',
  failedTimes: 'liczba nieudanych prób importu: {times}; ostatnio: {why}',
  internal: 'błąd wewnętrzny',
  storeSilent: 'magazyn plików nie odpowiada ({detail})',
  fileGone:
    'pliku nie ma w magazynie plików: został usunięty albo procesy nie mają wspólnego DATA_DIR ani zasobnika. Wyślij go lub pobierz ponownie',
  partWritten: '{sentence}. To, co zapisano wcześniej, pozostaje',
  supplierGone: 'dostawcę w międzyczasie usunięto',
  readerEnded:
    'proces, który czytał plik z tym mapowaniem, zakończył się awarią. Sprawdź plik i mapowanie albo podziel plik',
  readerMemory:
    'odczyt pliku z tym mapowaniem wymaga więcej pamięci niż {megabytes} MB. Podziel plik albo uprość mapowanie',
  readerTime: 'odczyt pliku z tym mapowaniem trwa dłużej niż {seconds} s. Podziel plik albo uprość mapowanie',
  asideInterrupted:
    'odłożono: proces importu kończył się awarią, zanim cokolwiek zapisano; liczba prób: {times}. Sprawdź plik i jego mapowanie albo podziel plik, a potem wyślij go lub pobierz ponownie',
  asideEndless:
    'odłożono: import nigdy nie dobiegł końca; liczba prób: {times}. Sprawdź plik i jego mapowanie albo podziel plik, a potem wyślij go lub pobierz ponownie',
  asideUnwritten:
    'odłożono: import niczego nie zapisał; liczba prób: {times}. Sprawdź plik i jego mapowanie albo podziel plik, a potem wyślij go lub pobierz ponownie',
  budget:
    '{budget} tego konta nie wystarcza: z {limit} zużyto {used}, a potrzeba jeszcze {wanted}. Usuń coś albo poproś operatora usługi o zwiększenie',
  budgetBytes:
    '{budget} tego konta nie wystarcza: z {limit} bajtów zużyto {used}, a potrzeba jeszcze {wanted}. Usuń coś albo poproś operatora usługi o zwiększenie',
} satisfies Record<keyof typeof RUN_FORMS, string>
