import { describe, expect, it } from 'vitest'
import { detectMapping } from './detect.ts'
import { chunked } from '../fixtures.ts'

async function proposed(text: string) {
  const asked: string[] = []
  const { mapping } = await detectMapping(chunked(text), (question) => asked.push(question))
  return { cost: mapping.fields.cost, decimal: mapping.decimal, asked }
}

describe('a proposed cost', () => {
  it('is none that is called like one of something else', async () => {
    const both = await proposed('SKU,Name,Cost (shipping),Cost (unit)\nA1,Tea pot,3.90,12.00\nA2,Tea cup,3.80,2.50\n')
    expect(both.cost).toBe('Cost (unit)')
    const { cost, asked } = await proposed('SKU,Name,Cost (shipping)\nA1,Tea pot,3.90\nA2,Tea cup,3.80\n')
    expect(cost).toBeUndefined()
    expect(asked.join()).toContain('no column was found for the cost')
  })

  it('is divided by the number of pieces that it is for, with a question', async () => {
    const { cost, asked } = await proposed(
      'Art.-Nr.;Bezeichnung;EK;PE;Bestand\nA;Schraube;12,50;100;5\nB;Hammer;9,90;1;4\n',
    )
    expect(cost).toEqual({ calc: 'price / per', of: { price: 'EK', per: { column: 'PE', default: '1' } } })
    expect(asked.join()).toContain(
      '"EK" is taken for the price of as many pieces as "PE" says, and divided by it. Is that right?',
    )
  })

  it('stays as it is where all prices are for one piece, and beside a size of packages', async () => {
    expect((await proposed('sku,name,cost,per,stock\nA,Bolt,1.20,1,5\nB,Nut,0.90,1,4\n')).cost).toBe('cost')
    expect((await proposed('sku,name,cost,pack size,stock\nA,Bolt,1.20,12,5\nB,Nut,0.90,6,4\n')).cost).toBe('cost')
  })

  it('is a list price less its discount; beside any other price the discount is asked about', async () => {
    const list = await proposed('sku;name;list price;discount %;stock\nA;Lamp;100,00;40;5\nB;Cord;50,00;35;4\n')
    expect(list.cost).toMatchObject({ calc: 'list * (100 - discount) / 100' })
    expect(list.asked.join()).toContain('from which the discount in "discount %" is taken off')
    const plain = await proposed('sku;name;price;discount;stock\nA;Lamp;100,00;40;5\nB;Cord;50,00;35;4\n')
    expect(plain.cost).toBe('price')
    expect(plain.asked.join()).toContain('is it in the price already?')
    const purchase = await proposed('Art.Nr.;Name;EK;Rabatt;Bestand\nA;Lampe;100,00;40;5\nB;Kabel;50,00;35;4\n')
    expect([purchase.cost, purchase.asked]).toEqual(['EK', []])
  })

  it('has discounts one after another asked about: they are not taken off', async () => {
    const { cost, asked } = await proposed(
      'Codice;Descrizione;Prezzo listino;Sconto %;Q.tà\nA1;Rubinetto;1.250,00;40+10;3\nA2;Tubo;12,40;30;8\n',
    )
    expect(cost).toBe('Prezzo listino')
    expect(asked.join()).toContain('discounts such as "40+10" in "Sconto %" are not taken off')
  })

  it('in cents is a hundredth', async () => {
    const { cost } = await proposed('sku,name,price_cents,stock\nA,Lamp,1250,5\nB,Cord,990,4\n')
    expect(cost).toEqual({ calc: 'cents / 100', of: { cents: 'price_cents' } })
  })

  it('such as 1.250, which no value decides, is read by the language of the columns, with a question', async () => {
    const german = await proposed('Art.Nr.;Bezeichnung;Preis;Bestand\n1;Kabel;1.250;5\n2;Dose;980;4\n')
    expect(german.decimal).toBe(',')
    expect(german.asked.join()).toContain('"1.250" in "Preis" is read as 1250: is that right? Else give "decimal": "."')
    const english = await proposed('sku,title,price,stock\nA1,Cable,1.250,5\nA2,Box,980,4\n')
    expect(english.decimal).toBeUndefined()
    expect(english.asked.join()).toContain('"1.250" in "price" is read as 1.250')
    const certain = await proposed('Art.Nr.;Bezeichnung;Preis;Bestand\n1;Kabel;1.250;5\n2;Dose;9,80;4\n')
    expect([certain.decimal, certain.asked]).toEqual([',', []])
  })
})

describe('a proposed quantity', () => {
  it('is what is available, where all that is on hand has a column of its own', async () => {
    const { mapping } = await detectMapping(
      chunked('Codice;Descrizione;Prezzo netto;Giacenza;Disponibile\nA;Vaso;4,10;30;18\nB;Piatto;7,25;10;0\n'),
    )
    expect(mapping.fields.quantity).toBe('Disponibile')
  })
})

describe('a cost among other prices', () => {
  it('is what dealers pay, and not the price that a packet shows', async () => {
    const { cost, asked } = await proposed(
      'Item_ID,Product_Name,MRP,Dealer_Rate\nK1,Round knob,400,260\nK2,Oval knob,750,480\nH1,Long handle,1800,1150\n',
    )
    expect(cost).toBe('Dealer_Rate')
    expect(asked.join()).not.toContain('what you pay')
  })

  it.each([
    ['Unit price,Buying rate,Stock', ['4.00,1.08,3', '7.50,1.08,2', '9.90,1.17,5'], 'Unit price', ''],
    ['Net price,Trade rate,Stock', ['400.00,35,3', '750.00,35,2', '1800.00,40,5'], 'Net price', ''],
    ['Price,Purchase rate,Stock', ['400.00,35,3', '750.00,40,2', '1800.00,45,5'], 'Price', ''],
    ['Price,Dealer_Rate,Stock', ['400,35,3', '750,40,2', '1800,45,5'], 'Price', '"Dealer_Rate" is called so as well'],
    ['Price,Dealer rate,Stock', ['100,35,3', '120,35,2', '90,35,5'], 'Price', '"Dealer rate" is called so as well'],
    ['MRP,Reseller Rate,Stock', ['400,35,3', '750,40,2', '1800,45,5'], 'MRP', '"Reseller Rate" is called so as well'],
    ['Dealer_Rate,Stock', ['260.00,3', '480.00,2', '1150.00,5'], 'Dealer_Rate', 'is "Dealer_Rate" what you pay'],
    ['MRP,Dealer_Rate,Stock', ['400,260,3', ',90,1', '750,,2', '1800,1150,5', '90,61,4'], 'Dealer_Rate', ''],
    ['Price,Stockist rate,Stock', ['400.00,260.00,3', '750.00,480.00,2', '90.00,61.00,5'], 'Stockist rate', ''],
  ])('is no exchange rate and no percentage: %s', async (names, rows, cost, question) => {
    const lines = rows.map((row, no) => `A${no},Tea pot ${no},${row}\n`)
    const found = await proposed(`sku,name,${names}\n${lines.join('')}`)
    expect(found.cost).toBe(cost)
    if (question === '') expect(found.asked.join()).not.toContain('what you pay')
    else expect(found.asked.join()).toContain(question)
  })

  it('is asked about where it is a selling price beside lower amounts under a name that says nothing', async () => {
    const { cost, asked } = await proposed(
      'Item_ID,Product_Name,VK,Konditionen\nK1,Round knob,400,260\nK2,Oval knob,750,480\nH1,Long handle,1800,1150\n',
    )
    expect(cost).toBe('VK')
    expect(asked.join()).toContain('"Konditionen" has a lower amount in each row')
  })

  it('is asked about where two columns are called what is paid and differ in some rows', async () => {
    const rows = Array.from({ length: 12 }, (_, no) => `A${no},Tea pot ${no},${10 + no},${no === 3 ? 20 : 10 + no}\n`)
    const differing = await proposed(`sku,name,Cost price,Purchase price\n${rows.join('')}`)
    expect(differing.asked.join()).toContain('which is called so as well')
    const alike = rows.map((row) => row.replace(',13,20', ',13,13'))
    const same = await proposed(`sku,name,Cost price,Purchase price\n${alike.join('')}`)
    expect(same.asked.join()).not.toContain('which is called so as well')
  })

  it('is no average of sales and no warranty, whose values are amounts', async () => {
    const rows = ['K1,Round knob,6.92,12', 'K2,Oval knob,4.25,24', 'H1,Long handle,3.58,36']
    const { cost } = await proposed(`Item_ID,Product_Name,Average sales,Warranty\n${rows.join('\n')}\n`)
    expect(cost).toBeUndefined()
  })

  it('is what is mostly below a recommended price under a name that says nothing, which is asked', async () => {
    const head = 'Item_ID,Product_Name,MRP,Konditionen\n'
    const found = await proposed(
      `${head}K1,Round knob,400,260\nK2,Oval knob,750,480\nH1,Long handle,1800,1850\nH2,Short handle,90,61\n`,
    )
    expect(found.cost).toBe('Konditionen')
    expect(found.asked.join()).toContain('is "Konditionen" what you pay')
    const above = await proposed(
      `${head}K1,Round knob,400,460\nK2,Oval knob,750,480\nH1,Long handle,1800,1850\nH2,Short handle,90,98\n`,
    )
    expect(above.cost).toBe('MRP')
  })

  it('is that of one piece, and not of all in a row, which is asked', async () => {
    const { cost, asked } = await proposed(
      'COD,DESCRIERE,PRET UNITAR [EUR],PRET TOTAL [EUR]\nA,Vopsea alba,38.50,77.00\nB,Glet fin,9.75,48.75\nC,Amorsa,17.00,102.00\n',
    )
    expect(cost).toBe('PRET UNITAR [EUR]')
    expect(asked.join()).toContain('which one is what you pay')
  })

  it('is asked about beside a price of one piece', async () => {
    const { cost, asked } = await proposed(
      'codigo,nombre,precioUnidad,precio\nJ1,Papel aluminio,2830,67916\nJ2,Bolsas,2899,86965\nJ3,Vasos,150,3000\n',
    )
    expect(cost).toBe('precio')
    expect(asked.join()).toContain('"precioUnidad" has another price, of one piece')
  })

  it.each([
    ['Ürün kodu;Ürün adı;Nakit fiyat;Kart fiyat\nK1;Kazan;40500;45500\nK2;Ocak;12800;14400\n', 'Kart fiyat'],
    ['Codigo;Nombre;Precio contado;Precio crédito\nK1;Aceite;8778;9304\nK2;Filtro;1525;1616\n', 'Precio crédito'],
  ])('is asked about where prices are called for different things: %s', async (text, other) => {
    const { asked } = await proposed(text)
    expect(asked.join()).toContain(`${JSON.stringify(other)} has other prices: which one do you pay?`)
  })

  it('is not where the other price is that of the shop, an old one or the same', async () => {
    const { asked } = await proposed(
      'SKU;Name;Preis Händler;Preis Kunde;Preis alt;Preis Österreich\nK1;Kessel;40;60;70;40\nK2;Herd;12;18;20;12\n',
    )
    expect(asked.join()).not.toContain('which one do you pay?')
  })

  it('is the price of now, and not the initial one', async () => {
    const { cost } = await proposed(
      'product_id,title,initial_price,final_price\n81,Ring,40,30\n82,Chain,55,55\n83,Pearls,64,32\n',
    )
    expect(cost).toBe('final_price')
  })
})
