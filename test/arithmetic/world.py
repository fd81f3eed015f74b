"""Random settings, rules, offers, own stock and own values of an account, written through its API."""

from service import Refused

MANUFACTURERS = ["Acme", "acme", "Fiskars", "Müller", None]
CATEGORIES = ["Garden", "Garden/Soil", "garden/soil/Peat", "Tools", "Tools/Hammers", "Gardening", None]
COUNTRIES = ["DE", "PL", "FI", "FR"]
PERCENTS = ["0", "7", "19", "5.5", "25.5", "33.3333", "100"]
FIRST_DAYS = ["2007-01-01", "2021-01-01", "2026-07-01", "2099-01-01"]
DAYS = [("2020-01-01", None), ("2098-01-01", None), (None, "2021-01-01"), (None, "2099-01-01"), ("2020-01-01", "2099-01-01")]
CURRENCIES = ["EUR", "PLN", "JPY", "KWD", "CHF"]
# suppliers and their currencies, which never change
SUPPLIERS = {"north": "EUR", "south": "PLN", "east": "JPY", "west": "KWD"}


def amount(draw, least, most, digits):
    """A random decimal as a text, with few or all of its digits."""
    few = draw.choice([0, 1, 2, digits])
    return f"{draw.uniform(least, most):.{few}f}"


def maybe(draw, share, make):
    return make() if draw.random() < share else None


def draw_settings(service, draw):
    """Writes everything but offers. A member that is None is left out, so it has its default."""

    def put(path, **body):
        service.request("PUT", f"/v1/account/{path}", {name: value for name, value in body.items() if value is not None})

    service.request("PATCH", "/v1/account", {"price_jump_factor": None})
    put("rates/PLN", rate=amount(draw, 3.5, 4.9, 12))
    put("rates/JPY", rate=amount(draw, 120, 180, 6))
    put("rates/KWD", rate=f"{draw.uniform(0.3, 0.4):.7f}")
    has_tax = draw.random() < 0.75
    if has_tax:
        draw_tax_classes(put, draw)
    for slug, currency in [("main", None), ("de", None), ("pl", None), ("jp", "JPY"), ("kw", "KWD")]:
        country = draw.choice(COUNTRIES) if has_tax and draw.random() < 0.8 else None
        tax = {"tax_country": country, "prices_include_tax": country is not None and draw.random() < 0.7}
        if currency is None:
            service.request("PATCH", f"/v1/account/stores/{slug}", tax)
        else:
            put(f"stores/{slug}", name=slug, locale="en-US" if slug == "kw" else "en", currency=currency, **tax)
    for code, currency in SUPPLIERS.items():
        put(
            f"suppliers/{code}",
            name=code,
            currency=currency,
            priority=draw.randrange(1, 4),
            safety_buffer=draw.choice([0, 0, 1, 5]),
            is_active=draw.random() < 0.85,
            cost_tax_country=draw.choice(COUNTRIES) if has_tax and draw.random() < 0.4 else None,
            list_price_tax=draw.choice(["none", *COUNTRIES]) if has_tax and draw.random() < 0.4 else None,
        )
    if draw.random() < 0.5:
        service.request("POST", "/v1/account/groups", {"name": "Friends"})
    if has_tax:
        draw_tax_places(service, draw)
    stores = list(service.pages("/v1/account/stores"))
    groups = list(service.pages("/v1/account/groups"))
    suppliers = list(service.pages("/v1/account/suppliers"))
    for number in range(draw.randrange(4, 14)):
        rule = {"name": f"Rule {number}", "priority": draw.randrange(1, 10), **draw_conditions(draw, stores, groups, suppliers)}
        try:
            service.request("POST", "/v1/account/pricing-rules", {**rule, **draw_action(draw)})
        except Refused:
            # tiers that certainly rise are refused; whether they do depends on the other drawn values
            continue


def draw_tax_classes(put, draw):
    has_default = draw.random() < 0.7
    for key, codes in [("standard", ["19", "VAT"]), ("reduced", ["R7", "standard"]), ("zero", [])]:
        rates = {}
        # a store cannot name a country without any rate; a rate that begins in years is enough
        countries = (COUNTRIES if key == "standard" else []) + draw.choices(COUNTRIES, k=draw.randrange(1, 9))
        for country in countries:
            day = draw.choice(FIRST_DAYS)
            rates[country, day] = {"country": country, "valid_from": day, "percent": draw.choice(PERCENTS)}
        is_default = has_default and key == "standard"
        # one code names one class
        own = [code for code in codes if code != "standard"]
        put(f"tax-classes/{key}", name=key, codes=own, rates=list(rates.values()), is_default=is_default or None)


def draw_tax_places(service, draw):
    """Writes categories with tax classes, and groups whose prices show tax differently from the store."""
    for path, mapped in [("Garden", "garden"), ("Garden/Earth", "Garden/Soil"), ("Tools", "Tools/Hammers")]:
        if draw.random() < 0.6:
            tax_class = draw.choice(["standard", "reduced", "zero", None])
            body = {"path": path, "supplier_paths": [mapped], "tax_class": tax_class}
            service.request("POST", "/v1/account/categories", body)
    for group in list(service.pages("/v1/account/groups")):
        if draw.random() < 0.5:
            body = {
                "tax_country": draw.choice([None, *COUNTRIES]),
                "prices_include_tax": draw.choice([None, True, False, False]),
            }
            service.request("PATCH", f"/v1/account/groups/{group['id']}", body)


def draw_conditions(draw, stores, groups, suppliers):
    def some(entries):
        return [entry["id"] for entry in draw.sample(entries, draw.randrange(1, len(entries)))]

    valid_from, valid_to = draw.choice([(None, None)] * 12 + DAYS)
    return {
        "store_ids": maybe(draw, 0.25, lambda: some(stores)),
        "group_ids": maybe(draw, 0.35, lambda: some(groups)),
        "supplier_ids": maybe(draw, 0.25, lambda: some(suppliers)),
        "manufacturers": maybe(draw, 0.25, lambda: draw.sample(["ACME", "fiskars", "müller"], 2)),
        "categories": maybe(draw, 0.25, lambda: draw.sample(["garden", "Garden/Soil", "TOOLS"], 2)),
        "cost_min": maybe(draw, 0.2, lambda: amount(draw, 1, 100, 6)),
        "cost_below": maybe(draw, 0.2, lambda: amount(draw, 101, 300, 6)),
        "valid_from": valid_from,
        "valid_to": valid_to,
        "is_active": draw.random() < 0.95,
    }


def draw_action(draw):
    action = draw.choice(["markup", "margin", "fixed"])
    rule = {"action": action}
    if action == "markup":
        rule["percent"] = amount(draw, -20, 200, 4)
    elif action == "margin":
        rule["percent"] = amount(draw, 0, 80, 4)
    else:
        rule["fixed_price"] = draw.choice(["0", amount(draw, 0.5, 300, 6), amount(draw, 0.5, 300, 6)])
    rule["addition"] = maybe(draw, 0.3, lambda: amount(draw, -3, 20, 6))
    rule["floor_margin_percent"] = maybe(draw, 0.25, lambda: amount(draw, 1, 60, 4))
    rule["floor_profit"] = maybe(draw, 0.25, lambda: amount(draw, 0.5, 30, 6))
    rule["floor_price"] = maybe(draw, 0.25, lambda: amount(draw, 1, 60, 6))
    rule["ceiling_price"] = maybe(draw, 0.25, lambda: amount(draw, 30, 400, 6))
    rule["currency"] = maybe(draw, 0.3, lambda: draw.choice(["PLN", "EUR", "JPY", "KWD"]))
    rule["over_price_lists"] = draw.random() < 0.2
    rule["list_price_percent"] = maybe(draw, 0.4, lambda: amount(draw, 1, 300, 4))
    rule["tiers_from_supplier"] = action != "fixed" and draw.random() < 0.5
    rule["tiers"] = None if rule["tiers_from_supplier"] else maybe(draw, 0.5, lambda: draw_tiers(draw))
    # a stated price for a quantity is not below a stated price of 0
    rule["tiers_above_price"] = rule.get("fixed_price") == "0" or draw.random() < 0.2
    endings = {
        "EUR": [("1", "0.99"), ("0.05", "0"), ("10", "9.95"), ("100", "0")],
        "PLN": [("10", "9.99"), ("0.5", "0.49"), ("1", "0")],
        "JPY": [("100", "80"), ("10", "0"), ("1000", "980")],
        "KWD": [("0.25", "0.245"), ("1", "0.5")],
    }
    rounding = {}
    for currency, forms in endings.items():
        if draw.random() < 0.5:
            step, ending = draw.choice(forms)
            rounding[currency] = {"step": step, "ending": ending, "direction": draw.choice(["up", "down", "nearest"])}
    rule["rounding"] = rounding or None
    return rule


def draw_tiers(draw):
    """Tiers of one kind must fall, or the rule is refused; tiers of different kinds are combined at random."""
    quantities = sorted(draw.sample([2, 3, 5, 10, 12, 50, 100, 1000, 1000000], draw.randrange(1, 5)))
    offs = sorted(draw.sample(["0.5", "2", "3.3333", "5", "12.5", "33.3333", "90", "99.9999"], len(quantities)), key=float)
    sums = [f"{millionths / 1_000_000:.6f}" for millionths in sorted(draw.sample(range(1_000_000, 60_000_000), len(quantities)))]
    kinds = [draw.choice(["percent_off", "amount_off"]) for _ in quantities]
    tiers = [
        {"quantity": quantity, kind: off if kind == "percent_off" else sum_off}
        for quantity, kind, off, sum_off in zip(quantities, kinds, offs, sums)
    ]
    # a tier's stated price must be below `fixed_price`, so a low one is drawn
    if draw.random() < 0.4:
        quantity = tiers[-1]["quantity"]
        tiers[-1] = {"quantity": quantity, "price": draw.choice(["0.1", "0.25", "0.399999"])}
    elif draw.random() < 0.4:
        tiers[0] = {"quantity": tiers[0]["quantity"], "price": draw.choice(["0.1", "0.25", "0.399999"])}
    return tiers


def with_check_digit(number):
    digits = f"{400000000000 + number:012d}"
    odd = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits))
    return f"{digits}{-odd % 10}"


def draw_offers(service, draw, products):
    """Offers of one to three suppliers for each product, joined by their EAN."""
    rows = []
    for number in range(products):
        for code in draw.sample(list(SUPPLIERS), draw.choice([1, 1, 2, 3])):
            rows.append(
                {
                    "supplier": code,
                    "sku": f"{code}-{number}",
                    "eans": [with_check_digit(number)],
                    "manufacturer": draw.choice(MANUFACTURERS),
                    "category": draw.choice(CATEGORIES),
                    "tax_class": draw.choice(["reduced", "r7", "vat", "unheard of", "zero", None, None, None]),
                    "list_price": draw_list_price(draw),
                    "list_price_tax": draw_tax_in(draw),
                    "cost_tax": draw_tax_in(draw),
                    "net_content": maybe(draw, 0.4, lambda: draw_content(draw)),
                    "unit_price_reference": maybe(draw, 0.1, lambda: draw.choice(["100 g", "100 ml", "0.5 l", "1 piece", "1 lb"])),
                    **draw_sale(draw),
                    **draw_cost(draw),
                }
            )
    write_rows(service, "offers", rows)


def draw_content(draw):
    unit = draw.choice(["mg", "g", "g", "kg", "oz", "lb", "ml", "ml", "cl", "l", "m3", "fl oz", "gal", "m", "yd", "m2", "sq ft", "piece"])
    quantity = draw.choice(["1", "3", "750", "0.75", f"{draw.uniform(0.001, 2000):.6f}"])
    return draw.choice(["", "", "6 x ", "12 x "]) + f"{quantity} {unit}"


def draw_sale(draw):
    """Random first and last days: in force, over, in the future, or none."""
    if draw.random() < 0.7:
        return {}
    begins, ends = draw.choice([(None, None), ("2020-01-01", None), (None, "2098-01-01"), ("2020-01-01", "2098-01-01"), ("2098-01-01", None), (None, "2020-01-01")])
    stated = amount(draw, 0.5, 150, 6)
    price = stated + draw.choice(["", " EUR", " JPY", " CHF"]) if stated.strip("0.") else None
    return {"sale_price": price, "sale_begins_on": begins, "sale_ends_on": ends}


def draw_price_lists(service, draw, product_ids):
    """Writes price lists for some products. @returns (key of the list, product, group or None, amount) of each entry."""
    if draw.random() < 0.3:
        return []
    stores = list(service.pages("/v1/account/stores"))
    groups = [entry["id"] for entry in service.pages("/v1/account/groups")]
    made = []
    # keys rise in the order of creation, so that the key says which list is newer
    for key in ["a", "b", "c", "d"][: draw.randrange(1, 5)]:
        currency = draw.choice(["EUR", "EUR", "PLN", "JPY"])
        begins, ends = draw.choice([(None, None)] * 3 + [("2020-01-01", "2098-01-01"), ("2098-01-01", None), (None, "2020-01-01")])
        body = {
            "name": key,
            "currency": currency,
            "store_ids": maybe(draw, 0.3, lambda: [draw.choice([store["id"] for store in stores if store["currency"] == currency])]),
            "group_id": maybe(draw, 0.3, lambda: draw.choice(groups)),
            "valid_from": begins,
            "valid_to": ends,
            "priority": draw.choice([50, 100, 100]),
            "is_active": draw.random() < 0.9,
        }
        service.request("PUT", f"/v1/account/price-lists/{key}", body)
        entries = {}
        for product_id in draw.sample(product_ids, len(product_ids) // 6):
            group_id = maybe(draw, 0.4, lambda: draw.choice(groups))
            price = str(draw.randrange(1, 40_000)) if currency == "JPY" else f"{draw.uniform(0.5, 300):.2f}"
            entries[product_id, group_id] = price
        rows = [{"product_id": product_id, "group_id": group_id, "price": price} for (product_id, group_id), price in entries.items()]
        for begin in range(0, len(rows), 1_000):
            service.request("PATCH", f"/v1/account/price-lists/{key}/entries?confirm=true", {"entries": rows[begin : begin + 1_000]})
        made += [(key, product_id, group_id, price) for (product_id, group_id), price in entries.items()]
    return made


def draw_tax_in(draw):
    """The country whose tax an amount includes; mostly not stated."""
    return draw.choice(["none", *COUNTRIES]) if draw.random() < 0.2 else None


def draw_list_price(draw):
    stated = maybe(draw, 0.5, lambda: amount(draw, 1, 400, 6))
    if stated is None or not stated.strip("0."):
        return None
    return stated + draw.choice(["", "", " EUR", " JPY", " CHF"])


def draw_cost(draw):
    least, most = draw.choice([(0.01, 1), (1, 100), (50, 900)])
    cost = draw.choice([amount(draw, least, most, 6)] * 12 + [None, "0"])
    return {
        "cost": cost,
        "cost_tiers": maybe(draw, 0.5, lambda: draw_cost_tiers(draw, cost)),
        "currency": draw.choice(CURRENCIES[:4] * 4 + ["CHF"]),
        "quantity": draw.choice([0, 1, 3, 5, 80]),
    }


def draw_cost_tiers(draw, cost):
    """Random tiers of cost, falling from the cost, mostly a little below it."""
    tiers, before = [], round(float(cost or 10) * 1_000_000)
    for quantity in sorted(draw.sample([2, 3, 5, 10, 12, 50, 100, 1000, 1000000], draw.randrange(1, 5))):
        millionths = int(before * draw.choice([0.999, 0.95, 0.9, draw.random(), 0.2]))
        if 0 < millionths < before:
            tiers.append({"quantity": quantity, "cost": f"{millionths / 1_000_000:.6f}"})
            before = millionths
    return tiers


def draw_own(service, draw, product_ids):
    """Random own stock, and own values of the fields on which prices depend."""
    stock, overrides = [], []
    for product_id in product_ids:
        if draw.random() < 0.15:
            cost = draw.choice([None, amount(draw, 1, 100, 6)])
            stock.append({"product_id": product_id, "quantity": draw.choice([0, 4]), "cost": cost})
        if draw.random() < 0.1:
            overrides.append({"product_id": product_id, "field": "tax_class", "value": draw.choice(["zero", "VAT", "none"])})
        if draw.random() < 0.1:
            overrides.append({"product_id": product_id, "field": "list_price", "value": amount(draw, 5, 500, 2)})
        if draw.random() < 0.05:
            field = draw.choice(["list_price_tax", "cost_tax"])
            overrides.append({"product_id": product_id, "field": field, "value": draw.choice(["none", *COUNTRIES])})
        if draw.random() < 0.05:
            overrides.append({"product_id": product_id, "field": "sale_price", "value": amount(draw, 1, 100, 2)})
            overrides.append({"product_id": product_id, "field": "sale_ends_on", "value": draw.choice(["2020-01-01", "2098-01-01"])})
        if draw.random() < 0.05:
            overrides.append({"product_id": product_id, "field": "net_content", "value": draw_content(draw)})
    write_rows(service, "stock", stock)
    write_rows(service, "overrides", overrides)
    return {row["product_id"]: row for row in stock}, overrides


def write_rows(service, bulk, rows):
    for begin in range(0, len(rows), 1_000):
        answer = service.request("POST", f"/v1/account/bulk/{bulk}", {"rows": rows[begin : begin + 1_000]})
        failed = [row for row in answer["data"] if row["status"] == "failed"] if isinstance(answer["data"], list) else answer
        if failed:
            raise RuntimeError(f"bulk/{bulk}: {failed[:3]}")
