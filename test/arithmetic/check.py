"""
Draws random accounts, computes their prices from the documentation, and compares them with every payload.

    python3 check.py --url URL --seed N --products N TOKEN...

One token of full access for each account. Prints one line of JSON: what was compared, and what differs.
"""

import argparse
import json
import random
import sys
from fractions import Fraction

from prices import Account, Product, half_up, minor_digits
from service import Service
from world import draw_cost, draw_offers, draw_own, draw_price_lists, draw_settings, write_rows

AMOUNTS = ("base_cost", "computed_price", "compare_at_price", "tax_rate", "lowest_price_30_days", "price", "value", "reference_quantity")


def is_jump(old, new, factor):
    """A fall to 0 is always a jump, a rise from 0 never is."""
    return old != 0 and (new > old * factor or new * factor < old)


class Check:
    def __init__(self, service, draw):
        self.service = service
        self.draw = draw
        self.payloads = self.prices = self.held = self.explained = self.tiers = self.by_rule = 0
        self.differences = []
        # (store, product) -> the latest computed prices without sales, by group
        self.regular = {}
        self.sales = self.listed = self.unit_prices = self.supplied = 0
        self.own_stock, self.overrides, self.entries = {}, {}, {}

    def build(self, products):
        draw_settings(self.service, self.draw)
        draw_offers(self.service, self.draw, products)
        self.read_offers()
        self.own_stock, own_values = draw_own(self.service, self.draw, list(self.offers))
        for row in own_values:
            self.overrides.setdefault(row["product_id"], {})[row["field"]] = row["value"]
        for key, product_id, group_id, price in draw_price_lists(self.service, self.draw, list(self.offers)):
            self.entries.setdefault(product_id, []).append((key, group_id, price))

    def read_offers(self):
        self.offers = {}
        for supplier in self.service.pages("/v1/account/suppliers"):
            for offer in self.service.pages(f"/v1/account/suppliers/{supplier['code']}/offers?per_page=200"):
                offer["supplier"] = supplier["code"]
                self.offers.setdefault(offer["product_id"], []).append(offer)

    def compare(self):
        account = self.read_account()
        products = {
            product_id: Product(
                account,
                offers,
                self.own_stock.get(product_id),
                self.overrides.get(product_id, {}),
                self.entries.get(product_id, []),
            )
            for product_id, offers in self.offers.items()
        }
        for store in account.stores:
            read = self.read_prices(store["slug"])
            if set(read) != set(products):
                self.differences.append({"store": store["slug"], "products": len(read), "expected": len(products)})
            for product_id, product in products.items():
                self.compare_product(account, store, product_id, product, read.get(product_id))

    def read_account(self):
        def listed(path):
            return list(self.service.pages(f"/v1/account/{path}"))

        settings = self.service.request("GET", "/v1/account")["data"]
        any_product = next(iter(self.offers))
        explained = self.service.request("GET", f"/v1/products/{any_product}/explain?store=main")
        settings["day"] = explained.get("data", explained)["day"]
        return Account(
            settings,
            listed("stores"),
            listed("groups"),
            listed("rates"),
            listed("suppliers"),
            listed("tax-classes"),
            listed("categories"),
            listed("price-lists"),
            listed("pricing-rules"),
        )

    def read_prices(self, slug):
        """All products of a store: id -> prices."""
        read, page = {}, 1
        while True:
            answer = self.service.request("GET", f"/v1/prices?store={slug}&per_page=200&page={page}")
            read.update((entry["id"], entry["prices"]) for entry in answer["data"])
            if len(answer["data"]) < 200:
                return read
            page += 1

    def compare_product(self, account, store, product_id, product, read):
        expected, zeros = product.prices(store)
        before = self.regular.get((store["id"], product_id), {})
        for group_id, price in expected.items():
            if self.is_held(account, product, price, before.get(group_id)):
                zeros.discard(group_id)
        # a price of 0 for one group means no price for any group
        if zeros:
            expected = {}
        self.regular[store["id"], product_id] = {
            group_id: (price["computed_price"], price["applied_rule_id"]) for group_id, price in expected.items()
        }
        for group_id, price in expected.items():
            self.listed += price.pop("is_listed")
            price.update(product.reduced(price))
            self.sales += "compare_at_price" in price
            by_rule = product.compared_by_rule(price)
            is_supplied = price["made_by"][0]["tiers_from_supplier"]
            price.update(product.by_quantity(price))
            group = next(group for group in account.groups if group["id"] == group_id)
            price.update(product.beside(price, store, product.tax_of(store, group)))
            price.update(by_rule)
            self.by_rule += "compare_at_price" in by_rule
            self.tiers += len(price.get("tiers", []))
            self.supplied += len(price.get("tiers", [])) if is_supplied else 0
            self.unit_prices += "unit_price" in price
        got = {price["customer_group_id"]: self.exact(price) for price in read or []}
        # the lowest price before a sale without a first day depends on prices while the account was being set up, which are not known here
        if product.sale is not None and product.sale[2] is None:
            for price in got.values():
                price.pop("lowest_price_30_days", None)
        self.payloads += 1
        self.prices += len(got)
        if got != expected:
            self.differ(store, product_id, got, expected)

    def is_held(self, account, product, price, old):
        """
        Replaces a price that jumps by the price before it, and says whether it did. No rule of these accounts is for one product
        alone. Prices of price lists are not held, and neither are prices that follow one of a list.
        """
        if account.jump_factor is None or old is None or price["is_listed"]:
            return False
        before, rule_id = old
        if before in [Fraction(stated) for _, _, stated in product.entries]:
            return False
        if not is_jump(before, price["computed_price"], account.jump_factor):
            return False
        self.held += 1
        price["computed_price"], price["applied_rule_id"] = before, rule_id
        price["is_held"] = True
        return True

    def exact(self, price):
        def read(name, value):
            if isinstance(value, dict):
                return {member: read(member, of) for member, of in value.items()}
            if isinstance(value, list):
                return [read(name, each) for each in value]
            return Fraction(str(value)) if name in AMOUNTS else value

        return {name: read(name, value) for name, value in price.items()}

    def differ(self, store, product_id, got, expected):
        if len(self.differences) < 20:
            found = {"store": store["slug"], "product": product_id, "read": got, "computed": expected}
            self.differences.append(json.loads(json.dumps(found, default=str)))
        else:
            self.differences.append(None)

    def follow_lines(self, count):
        """Checks that the lines of `explain` lead to each price: every line is computed again from the one before."""
        for product_id in self.draw.sample(sorted(self.offers), min(count, len(self.offers))):
            for slug in ("main", "pl", "jp"):
                answer = self.service.request("GET", f"/v1/products/{product_id}/explain?store={slug}")
                for price in answer.get("data", answer)["prices"]:
                    if price["price"] is None:
                        continue
                    by_rule = [] if price["made_list_price"] is None else [price["made_list_price"]]
                    for entry in [price, *by_rule, *price["tiers"]]:
                        self.follow_steps(product_id, slug, entry, price["currency"])

    def follow_steps(self, product_id, slug, entry, currency):
        """Checks the lines of a price, or of one of its tiers."""
        self.explained += 1
        result = Fraction(0)
        for line in entry["steps"]:
            result = follow(result, line, currency)
            # a division is written with 40 digits
            if abs(result - Fraction(line["result"])) > abs(result) / 10**38:
                self.differences.append({"product": product_id, "store": slug, "line": line, "computed": str(result)})
            result = Fraction(line["result"])
        if result != Fraction(entry["price"]):
            self.differences.append({"product": product_id, "store": slug, "explained": entry["price"], "lines": str(result)})


def follow(before, line, currency):
    by = None if line["op"] == "round" and line["step"] == "rounding" else Fraction(line["by"])
    operations = {
        "=": lambda: by,
        "*": lambda: before * by,
        "/": lambda: before / by,
        "+": lambda: before + by,
        "max": lambda: max(before, by),
        "min": lambda: min(before, by),
        "round": lambda: follow_rounding(before, line, currency),
    }
    return operations[line["op"]]()


def follow_rounding(before, line, currency):
    if line["step"] == "settle":
        return half_up(before, 12) if before >= 0 else -half_up(-before, 12)
    words = line["by"].split()
    if words[0] == "minor_digits":
        scale = 10 ** minor_digits(currency)
        if words[1:] == ["up"]:
            return Fraction(-int(-before * scale // 1), scale)
        if words[1:] == ["down"]:
            return Fraction(int(before * scale // 1), scale)
        return half_up(before, minor_digits(currency))
    step, ending, way = Fraction(words[1]), Fraction(words[3]), words[4]
    steps = (before - ending) / step
    down, up = steps // 1 * step + ending, -(-steps // 1) * step + ending
    if way == "within_bounds":
        # the multiple on the other side of the amount, because the direction's own is out of bounds; the line before names the bound
        result = Fraction(line["result"])
        return result if result in (down, up) else None
    if way == "nearest":
        return up if up - before <= before - down else down
    return down if way == "down" else up


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--products", type=int, required=True)
    parser.add_argument("tokens", nargs="+")
    options = parser.parse_args()
    totals = {"payloads": 0, "prices": 0, "held": 0, "explained": 0, "tiers": 0, "sales": 0, "listed": 0, "unit_prices": 0, "supplied": 0, "by_rule": 0, "differences": []}
    for number, token in enumerate(options.tokens):
        check = Check(Service(options.url, token), random.Random(options.seed * 1_000 + number))
        check.build(options.products)
        check.compare()
        check.follow_lines(25)
        # then all costs change, with a guard against jumps
        check.service.request("PATCH", "/v1/account", {"price_jump_factor": check.draw.choice(["1.2", "1.5", "3"])})
        # all offers of a product in one request: otherwise prices between two requests are computed from half of the offers, and the jump guard compares with those
        rows = []
        for offers in check.offers.values():
            if len(rows) + len(offers) > 1_000:
                write_rows(check.service, "offers", rows)
                rows = []
            rows += [{"supplier": offer["supplier"], "sku": offer["sku"], **draw_cost(check.draw)} for offer in offers]
        write_rows(check.service, "offers", rows)
        check.read_offers()
        check.compare()
        for name in ("payloads", "prices", "held", "explained", "tiers", "sales", "listed", "unit_prices", "supplied", "by_rule", "differences"):
            totals[name] += getattr(check, name)
        check.service.close()
    json.dump(totals, sys.stdout)
    print()


main()
