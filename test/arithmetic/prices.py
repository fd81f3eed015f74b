"""
Prices computed as docs/rules.md describes, with exact fractions: none of the service's code is used, and amounts are rounded
only where the text says so.
"""

from fractions import Fraction
from math import floor as whole

from beside import is_on, listed_price, per_unit

# ISO 4217: currencies of these accounts that do not have 2 digits
MINOR_DIGITS = {"JPY": 0, "KWD": 3}


def minor_digits(currency):
    return MINOR_DIGITS.get(currency, 2)


def half_up(amount, digits):
    """Rounds an amount that is not negative half up to `digits`."""
    scale = 10**digits
    return Fraction(whole(amount * scale + Fraction(1, 2)), scale)


def to_minor(amount, currency):
    return half_up(amount, minor_digits(currency))


def settled(amount):
    return half_up(amount, 12)


class Account:
    """The settings of an account, as `/v1/account` returns them."""

    def __init__(self, settings, stores, groups, rates, suppliers, tax_classes, categories, price_lists, rules):
        self.currency = settings["currency"]
        self.day = settings["day"]
        factor = settings["price_jump_factor"]
        self.jump_factor = None if factor is None else Fraction(str(factor))
        self.stores = stores
        # by creation, which is also the order of their keys
        self.price_lists = {each["key"]: {**each, "place": place} for place, each in enumerate(price_lists)}
        self.groups = groups
        self.rates = {rate["currency"]: Fraction(rate["rate"]) for rate in rates}
        self.suppliers = {supplier["code"]: supplier for supplier in suppliers}
        self.tax_classes = tax_classes
        self.categories = categories
        # by priority, then by id; the default rule comes last
        self.rules = sorted(rules, key=lambda rule: (rule["is_default"], rule["priority"], rule["id"]))

    def convert(self, amount, source, target):
        """Converts an amount; a rate is the amount of a currency for one unit of the account's. None where one is missing."""
        if source == target:
            return amount
        into, out = self.rate(source), self.rate(target)
        return None if into is None or out is None else amount / into * out

    def rate(self, currency):
        return Fraction(1) if currency == self.currency else self.rates.get(currency)

    # Tax

    def category(self, stated):
        """The account's category that a supplier's path is mapped to: of the mapped paths, the longest that fits."""
        if stated is None:
            return None
        best = None
        for entry in self.categories:
            for path in entry["supplier_paths"]:
                if levels(stated)[: len(levels(path))] == levels(path) and (best is None or len(levels(path)) > best[0]):
                    best = (len(levels(path)), entry)
        return None if best is None else best[1]

    def tax_class(self, stated, category):
        """The tax class with this key or code in any letter case, else the category's, else the default one."""
        if stated is not None:
            name = stated.strip().lower()
            for entry in self.tax_classes:
                if entry["key"] == name:
                    return entry
            for entry in self.tax_classes:
                if name in [code.strip().lower() for code in entry["codes"]]:
                    return entry
        named = [
            entry
            for entry in self.categories
            if category is not None
            and entry["tax_class"] is not None
            and levels(category["path"])[: len(levels(entry["path"]))] == levels(entry["path"])
        ]
        if named:
            nearest = max(named, key=lambda entry: len(levels(entry["path"])))
            return next(entry for entry in self.tax_classes if entry["key"] == nearest["tax_class"])
        return next((entry for entry in self.tax_classes if entry["is_default"]), None)

    def tax_rate(self, tax_class, country):
        """The rate of a tax class in a country in percent: the one with the latest first day that has begun."""
        if tax_class is None:
            return None
        begun = [
            rate for rate in tax_class["rates"] if rate["country"] == country and rate["valid_from"] <= self.day
        ]
        return None if not begun else Fraction(max(begun, key=lambda rate: rate["valid_from"])["percent"])


def levels(path):
    return [level.strip().lower() for level in path.split("/")]


def by_priority(account, offers):
    """Offers in the order in which their fields are used: those of paused suppliers last, then by priority, id and SKU."""

    def key(offer):
        supplier = account.suppliers[offer["supplier"]]
        return (not supplier["is_active"], supplier["priority"], supplier["id"], offer["sku"])

    return sorted(offers, key=key)


def first(offers, field):
    """The first offer that states a field, and its value."""
    for offer in offers:
        if offer[field] is not None:
            return offer, offer[field]
    return None, None


class Product:
    """A product by its offers, own stock and own values, with the parts of its prices that are the same in all stores."""

    def __init__(self, account, offers, own_stock, overrides, entries):
        self.account = account
        asked = by_priority(account, offers)
        self.manufacturer = first(asked, "manufacturer")[1]
        stated = first(asked, "category")[1]
        category = account.category(stated)
        self.category = stated if category is None else category["path"]
        self.tax_class = account.tax_class(overrides.get("tax_class") or first(asked, "tax_class")[1], category)
        self.list_price = self.stated_amount("list_price", asked, overrides)
        self.list_price_tax = self.stated_list_price_tax(asked, overrides)
        self.own_cost_tax = overrides.get("cost_tax")
        self.sale = self.stated_sale(asked, overrides)
        self.content = overrides.get("net_content") or first(asked, "net_content")[1]
        self.reference = overrides.get("unit_price_reference") or first(asked, "unit_price_reference")[1]
        self.entries = entries
        # the tiers of the offer whose cost is used: (quantity, cost without tax in its currency)
        self.cost_tiers = []
        self.cost = self.base_cost(offers, own_stock)

    def stated_sale(self, asked, overrides):
        """(amount, currency, first day, last day, whether the owner states it): the days are those of the price's source; or None."""
        stated = self.stated_amount("sale_price", asked, overrides)
        if stated is None:
            return None
        is_own = overrides.get("sale_price") is not None
        source = overrides if is_own else first(asked, "sale_price")[0]
        return (*stated, source.get("sale_begins_on"), source.get("sale_ends_on"), is_own)

    def stated_list_price_tax(self, asked, overrides):
        """The country whose tax the list price includes, "none", or None where it is not stated."""
        if overrides.get("list_price") is not None:
            return overrides.get("list_price_tax")
        offer = first(asked, "list_price")[0]
        if offer is None:
            return None
        return offer.get("list_price_tax") or self.account.suppliers[offer["supplier"]]["list_price_tax"]

    def stated_amount(self, field, asked, overrides):
        """(amount, currency) or None."""
        stated, currency = overrides.get(field), self.account.currency
        if stated is None:
            offer, stated = first(asked, field)
            currency = None if offer is None else offer["currency"]
        if stated is None:
            return None
        amount, *named = stated.split()
        return Fraction(amount), named[0] if named else currency

    def net_cost(self, offer):
        """(whether it is known, cost without tax in the offer's currency). Unknown if the cost includes tax whose rate is missing."""
        if offer["cost"] is None:
            return True, None
        cost = Fraction(offer["cost"])
        country = self.own_cost_tax or offer.get("cost_tax") or self.account.suppliers[offer["supplier"]]["cost_tax_country"]
        if country == "none":
            country = None
        if country is None:
            return True, cost
        rate = self.account.tax_rate(self.tax_class, country)
        return (False, None) if rate is None else (True, cost / (1 + rate / 100))

    def best_offer(self, offers):
        """(offer, cost without tax in its currency) of the best offer of an active supplier whose currency has a rate."""
        account, candidates = self.account, []
        for offer in offers:
            supplier = account.suppliers[offer["supplier"]]
            known, cost = self.net_cost(offer)
            compared = None if cost is None else account.convert(cost, offer["currency"], account.currency)
            if not supplier["is_active"] or not known or (cost is not None and compared is None):
                continue
            available = max(0, offer["quantity"] - supplier["safety_buffer"])
            order = (
                cost is None,
                available == 0,
                compared or 0,
                supplier["priority"],
                supplier["id"],
                offer["sku"],
            )
            candidates.append((order, offer, cost))
        if not candidates:
            return None, None
        _, offer, cost = min(candidates, key=lambda candidate: candidate[0])
        return offer, cost

    def base_cost(self, offers, own_stock):
        """(cost without tax, currency, code of the supplier or None) or None."""
        own = None
        if own_stock is not None and own_stock["cost"] is not None:
            own = (Fraction(own_stock["cost"]), self.account.currency, None)
        if own is not None and own_stock["quantity"] > 0:
            return own
        offer, cost = self.best_offer(offers)
        if cost is not None:
            factor = cost / Fraction(offer["cost"]) if cost != 0 else 1
            self.cost_tiers = [(tier["quantity"], Fraction(tier["cost"]) * factor) for tier in offer["cost_tiers"] or []]
            return cost, offer["currency"], offer["supplier"]
        return own

    def matches(self, rule, store, group):
        account = self.account
        cost, currency, supplier = self.cost
        compared = account.convert(cost, currency, account.currency)
        supplier_id = None if supplier is None else account.suppliers[supplier]["id"]

        def named(names, value):
            return value is not None and value.strip().lower() in [name.strip().lower() for name in names]

        def below(paths, path):
            if path is None:
                return False
            levels = [level.strip().lower() for level in path.split("/")]
            return any(levels[: len(each)] == each for each in ([level.strip().lower() for level in text.split("/")] for text in paths))

        conditions = (
            ("store_ids", lambda ids: store["id"] in ids),
            ("group_ids", lambda ids: group["id"] in ids),
            ("supplier_ids", lambda ids: supplier_id in ids),
            ("manufacturers", lambda names: named(names, self.manufacturer)),
            ("categories", lambda paths: below(paths, self.category)),
            ("cost_min", lambda amount: compared is not None and compared >= Fraction(amount)),
            ("cost_below", lambda amount: compared is not None and compared < Fraction(amount)),
            ("valid_from", lambda day: account.day >= day),
            ("valid_to", lambda day: account.day <= day),
        )
        return rule["is_active"] and all(rule[name] is None or is_met(rule[name]) for name, is_met in conditions)

    def prices(self, store):
        """
        The prices in a store by group id, with the members of a payload's price and exact amounts; {} where there are none.
        Also the ids of groups whose price is a 0 that no rule states.
        """
        account = self.account
        if self.cost is None:
            return {}, set()
        taxes = {group["id"]: self.tax_of(store, group) for group in account.groups}
        # either all groups have a price or none
        if any(shows_tax and rate is None for _, shows_tax, rate in taxes.values()):
            return {}, set()
        cost = account.convert(self.cost[0], self.cost[1], store["currency"])
        if cost is None:
            return {}, set()
        made, zeros = {}, set()
        for group in account.groups:
            country, shows_tax, rate = taxes[group["id"]]
            factor = 1 + rate / 100 if shows_tax else Fraction(1)
            # a rule whose amounts cannot be converted is skipped
            for rule in account.rules:
                if self.matches(rule, store, group):
                    price = price_by(account, rule, cost, store["currency"], factor)
                    if price is None:
                        continue
                    listed = None
                    if not rule["over_price_lists"]:
                        listed = listed_price(account.price_lists, self.entries, store, group["id"], account.day)
                    if listed is not None:
                        price = listed
                    elif price == 0 and not (rule["action"] == "fixed" and Fraction(rule["fixed_price"]) == 0):
                        zeros.add(group["id"])
                    made[group["id"]] = {
                        "customer_group_id": group["id"],
                        "customer_group": group["name"],
                        "base_cost": to_minor(settled(cost), store["currency"]),
                        "computed_price": price,
                        "currency": store["currency"],
                        "applied_rule_id": rule["id"],
                        **self.tax_members(country, shows_tax, rate),
                        # the inputs of tiers, which are computed from the shown price later
                        "made_by": (rule, cost, factor),
                        "is_listed": listed is not None,
                    }
                    break
        return made, zeros

    def by_quantity(self, price):
        """The tiers of a shown price: within the bounds of its rule, and falling."""
        rule, cost, factor = price.pop("made_by")
        is_held = price.pop("is_held", False)
        if rule["tiers_from_supplier"]:
            return {} if is_held else self.supplied(price, rule, factor)
        shown, currency, tiers = price["computed_price"], price["currency"], []
        for tier in rule["tiers"] or []:
            if "percent_off" in tier:
                stated = shown * (1 - Fraction(tier["percent_off"]) / 100)
            else:
                amount = Fraction(tier.get("amount_off") or tier["price"])
                amount = self.account.convert(amount, rule["currency"] or self.account.currency, currency)
                stated = shown - amount if "amount_off" in tier else amount
            made = bounded(self.account, rule, stated, cost, currency, factor)
            is_below = rule["tiers_above_price"] or made < shown
            if made > 0 and is_below and (not tiers or made < tiers[-1]["price"]):
                tiers.append({"quantity": tier["quantity"], "price": made})
        return {"tiers": tiers} if tiers else {}

    def supplied(self, price, rule, factor):
        """The rule applied to each of the supplier's tiers, without results that are too far from the price."""
        shown, currency, tiers, jump = price["computed_price"], price["currency"], [], self.account.jump_factor
        for quantity, stated in self.cost_tiers:
            cost = self.account.convert(stated, self.cost[1], currency)
            made = price_by(self.account, rule, cost, currency, factor)
            is_below = rule["tiers_above_price"] or made < shown
            is_guarded = jump is not None and (made > shown * jump or made * jump < shown)
            if made > 0 and is_below and not is_guarded and (not tiers or made < tiers[-1]["price"]):
                tiers.append({"quantity": quantity, "price": made})
        return {"tiers": tiers} if tiers else {}

    def reduced(self, price):
        """The members of a price that a sale changes, if one is in force and below the price; else {}."""
        if self.sale is None:
            return {}
        amount, currency, begins, ends, is_own = self.sale
        converted = self.account.convert(amount, currency, price["currency"])
        if converted is None or not is_on(self.account.day, begins, ends):
            return {}
        shown, regular, factor = to_minor(settled(converted), price["currency"]), price["computed_price"], self.account.jump_factor
        # a supplier's sale price that is too far below is not shown
        is_guarded = factor is not None and not is_own and shown * factor < regular
        if shown == 0 or shown >= regular or is_guarded:
            return {}
        # all prices here were first shown today, so the lowest price before a sale's first day is unknown
        days = {"sale_begins_on": begins, "sale_ends_on": ends}
        stated = {name: day for name, day in days.items() if day is not None}
        return {"computed_price": shown, "compare_at_price": regular, "is_sale": True, **stated}

    def beside(self, price, store, tax):
        """The list price and the unit price beside a shown price."""
        compared = {} if "compare_at_price" in price else self.compared(price["computed_price"], store["currency"], tax)
        return {**compared, **self.by_unit(price["computed_price"], store)}

    def by_unit(self, price, store):
        if self.content is None:
            return {}
        found = per_unit(price, self.content, self.reference, not store["locale"].endswith("-US"))
        if found is None:
            return {}
        exact, unit, reference = found
        value = to_minor(settled(exact), store["currency"])
        if value in (0, price):
            return {}
        return {"unit_price": {"value": value, "unit": unit, "reference_quantity": reference}}

    def compared_by_rule(self, price):
        """The list price that the rule computes, for a price that is not held and not in a sale, if none is stated."""
        rule, cost, factor = price["made_by"]
        if rule["list_price_percent"] is None or self.list_price is not None:
            return {}
        if price.get("is_held", False) or "compare_at_price" in price:
            return {}
        plain = {name: None for name in ("addition", "floor_margin_percent", "floor_profit", "floor_price", "ceiling_price", "fixed_price")}
        alone = {**rule, **plain, "action": "markup", "percent": rule["list_price_percent"], "tiers": None}
        made = price_by(self.account, alone, cost, price["currency"], factor)
        return {"compare_at_price": made} if made > price["computed_price"] else {}

    def compared(self, price, currency, tax):
        """The list price beside a price. @param tax (country, whether the price has tax in it, its rate in percent)."""
        if self.list_price is None:
            return {}
        stated, of = self.list_price
        country, shows_tax, rate = tax
        if self.list_price_tax is not None and country is not None:
            if self.list_price_tax != "none":
                known = self.account.tax_rate(self.tax_class, self.list_price_tax)
                if known is None:
                    return {}
                stated = stated / (1 + known / 100)
            if shows_tax:
                stated = stated * (1 + rate / 100)
        amount = self.account.convert(stated, of, currency)
        if amount is None:
            return {}
        shown = to_minor(settled(amount), currency)
        return {"compare_at_price": shown} if shown > price else {}

    def tax_of(self, store, group):
        """(country, whether prices include tax, rate in percent) for a group; (None, False, None) in a store without a country."""
        if store["tax_country"] is None:
            return None, False, None
        country = group["tax_country"] or store["tax_country"]
        own = group["prices_include_tax"]
        return country, store["prices_include_tax"] if own is None else own, self.account.tax_rate(self.tax_class, country)

    def tax_members(self, country, shows_tax, rate):
        if country is None:
            return {}
        members = {"tax_included": shows_tax}
        if rate is not None:
            members["tax_rate"] = rate
        if self.tax_class is not None:
            members["tax_class"] = self.tax_class["key"]
        return members


def amounts_of(account, rule, currency):
    """A rule's amounts in a store's currency; None where a rate for one of them is missing."""
    amounts = {}
    for name in ("fixed_price", "addition", "floor_profit", "floor_price", "ceiling_price"):
        stated = None if rule[name] is None else Fraction(rule[name])
        amounts[name] = None if stated is None else account.convert(stated, rule["currency"] or account.currency, currency)
        if stated is not None and amounts[name] is None:
            return None
    if any("percent_off" not in tier for tier in rule["tiers"] or []):
        if account.convert(Fraction(1), rule["currency"] or account.currency, currency) is None:
            return None
    return amounts


def price_by(account, rule, cost, currency, factor):
    """A rule's price in a store's currency; None where a rate for one of its amounts is missing."""
    amounts = amounts_of(account, rule, currency)
    if amounts is None:
        return None
    percent = None if rule["percent"] is None else Fraction(rule["percent"]) / 100
    price = cost
    if rule["action"] == "markup":
        price = cost * (1 + percent)
    elif rule["action"] == "margin":
        price = cost / (1 - percent)
    elif rule["action"] == "fixed":
        price = amounts["fixed_price"]
    price += amounts["addition"] or 0
    if rule["action"] != "fixed":
        price *= factor
    return bounded(account, rule, price, cost, currency, factor)


def bounded(account, rule, price, cost, currency, factor):
    """Bounds an amount by the rule's ceiling and floors, of which floors win, and rounds it by the rule."""
    amounts = amounts_of(account, rule, currency)
    ceiling = amounts["ceiling_price"]
    floors = []
    if rule["floor_margin_percent"] is not None:
        floors.append(cost / (1 - Fraction(rule["floor_margin_percent"]) / 100) * factor)
    if amounts["floor_profit"] is not None:
        floors.append((cost + amounts["floor_profit"]) * factor)
    if amounts["floor_price"] is not None:
        floors.append(amounts["floor_price"])
    if ceiling is not None:
        price = min(price, ceiling)
    price = max([price, *floors])
    if price <= 0:
        return Fraction(0)
    return rounded(
        settled(price),
        (rule["rounding"] or {}).get(currency),
        settled(max(floors)) if floors else None,
        None if ceiling is None else settled(ceiling),
        currency,
    )


def rounded(amount, rounding, lowest, highest, currency):
    """Rounds once, by step and ending or to the minor unit, within the bounds."""
    if amount <= 0:
        return Fraction(0)
    if lowest is not None and highest is not None and lowest > highest:
        return to_minor(lowest, currency)

    def fits(price):
        return (lowest is None or price >= lowest) and (highest is None or price <= highest)

    if rounding is not None:
        step, ending = Fraction(rounding["step"]), Fraction(rounding["ending"])
        steps = (amount - ending) / step
        down = whole(steps) * step + ending
        up = -whole(-steps) * step + ending
        if rounding["direction"] == "down":
            wanted, other = down, up
        elif rounding["direction"] == "up" or up - amount <= amount - down:
            wanted, other = up, down
        else:
            wanted, other = down, up
        # if the result would be 0 or less, the amount is rounded to the minor unit instead
        if wanted > 0:
            if fits(wanted):
                return wanted
            if other > 0 and fits(other):
                return other
    scale = 10 ** minor_digits(currency)
    half = to_minor(amount, currency)
    if lowest is not None and half < lowest:
        return Fraction(-whole(-amount * scale), scale)
    if highest is not None and half > highest:
        down = Fraction(whole(amount * scale), scale)
        return half if lowest is not None and down < lowest else down
    return half
