"""Price lists, sales and unit prices, as docs/rules.md describes them."""

from fractions import Fraction

# by unit: its kind, and how many of the kind's first unit it is
OUNCE, GALLON, FOOT = Fraction("28.349523125"), Fraction("3.785411784"), Fraction("0.3048")
UNITS = {
    **{name: ("weight", Fraction(grams)) for name, grams in {"mg": "0.001", "g": 1, "kg": 1000, "t": 1000000}.items()},
    **{"oz": ("weight", OUNCE), "lb": ("weight", 16 * OUNCE)},
    **{name: ("volume", Fraction(litres)) for name, litres in {"ml": "0.001", "cl": "0.01", "dl": "0.1", "l": 1, "m3": 1000}.items()},
    **{name: ("volume", GALLON / parts) for name, parts in {"gal": 1, "qt": 4, "pt": 8, "fl oz": 128}.items()},
    **{name: ("length", Fraction(metres)) for name, metres in {"mm": "0.001", "cm": "0.01", "m": 1, "km": 1000}.items()},
    **{"ft": ("length", FOOT), "in": ("length", FOOT / 12), "yd": ("length", 3 * FOOT)},
    **{"m2": ("area", Fraction(1)), "cm2": ("area", Fraction(1, 10000)), "sq ft": ("area", FOOT**2)},
    "piece": ("count", Fraction(1)),
}
METRIC = {"weight": "kg", "volume": "l", "length": "m", "area": "m2", "count": "piece"}
CUSTOMARY = {"weight": "lb", "volume": "qt", "length": "ft", "area": "sq ft", "count": "piece"}


def content_of(text):
    """(quantity of all parts, unit) of `750 ml` or `6 x 0.33 l`."""
    parts, mark, rest = text.partition(" x ")
    amount, unit = (rest if mark else text).split(" ", 1)
    return Fraction(amount) * (int(parts) if mark else 1), unit


def per_unit(price, content, reference, is_metric):
    """(exact value, unit, quantity that it is for); None where it would be misleading."""
    quantity, stated = content_of(content)
    kind, factor = UNITS[stated]
    unit, of = ("m3" if stated == "m3" and is_metric else (METRIC if is_metric else CUSTOMARY)[kind]), Fraction(1)
    if reference is not None:
        of, unit = content_of(reference)
    if UNITS[unit][0] != kind:
        return None
    return price * of * UNITS[unit][1] / (quantity * factor), unit, of


def listed_price(lists, entries, store, group_id, day):
    """
    The amount of the entry that counts for a group: one for the group before one for all, then the list with the lower
    priority, then the newer one, then an entry that names the group itself. @param entries [(key, group or None, amount)].
    """
    found = []
    for key, entry_group, stated in entries:
        each = lists[key]
        of_group = entry_group if entry_group is not None else each["group_id"]
        if each["is_active"] and each["currency"] == store["currency"] and is_on(day, each["valid_from"], each["valid_to"]):
            if (each["store_ids"] is None or store["id"] in each["store_ids"]) and of_group in (None, group_id):
                # a later place in the list means a newer price list, which wins
                order = (of_group is None, each["priority"], -each["place"], entry_group is None)
                found.append((order, Fraction(stated)))
    return min(found)[1] if found else None


def is_on(day, begins, ends):
    return (begins is None or begins <= day) and (ends is None or day <= ends)
