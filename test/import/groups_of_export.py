"""Reads the variants of a shop's export without Shelfwire: prints for each article its group, options and pictures as JSON.

python3 groups_of_export.py FORMAT FILE MEDIA_URL
"""

import csv
import json
import re
import sys
import xml.etree.ElementTree as xml


def rows(path, delimiter=","):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def split(text, sign):
    return [part.strip() for part in (text or "").split(sign) if part.strip()]


def article(group, options, pictures):
    unique = list(dict.fromkeys(pictures))
    return {"group": group, "options": dict(options) if group else {}, "pictures": unique}


def shopify(path, _media):
    found = {}
    products = {}
    for row in rows(path):
        products.setdefault(row["Handle"], []).append(row)
    for handle, lines in products.items():
        first = lines[0]
        if first["Status"] == "draft":
            continue
        pictures = [line["Image Src"] for line in sorted(lines, key=lambda line: int(line["Image Position"] or 99)) if line["Image Src"]]
        names = [first[f"Option{n} Name"] for n in (1, 2, 3)]
        has_options = names[0] != "Title"
        for line in lines:
            values = [line[f"Option{n} Value"] for n in (1, 2, 3)]
            if not values[0]:
                continue
            options = [pair for pair in zip(names, values) if pair[0]] if has_options else []
            sku = line["Variant SKU"].lstrip("'") or "/".join([handle] + [value for _, value in options])
            own = [line["Variant Image"]] if line["Variant Image"] else []
            found[sku] = article(handle if has_options else None, options, own + pictures)
    return found


def woocommerce(path, _media):
    lines = rows(path)
    parents = {line["SKU"]: line for line in lines if line["Type"] == "variable"}
    found = {}
    for line in lines:
        if line["Published"] != "1" or line["Type"] == "variable":
            continue
        parent = parents.get(line["Parent"])
        options = []
        for n in (1, 2):
            if line.get(f"Attribute {n} name"):
                options.append((line[f"Attribute {n} name"], line[f"Attribute {n} value(s)"]))
        pictures = split(line["Images"], ",") or (split(parent["Images"], ",") if parent else [])
        found[line["SKU"] or f"id:{line['ID']}"] = article(line["Parent"] or None, options, pictures)
    return found


def magento2(path, media):
    lines = [line for line in rows(path) if not line["store_view_code"]]
    group_of = {}
    for line in lines:
        for piece in split(line["configurable_variations"], "|"):
            members = dict(part.split("=", 1) for part in piece.split(","))
            group_of[members.pop("sku")] = (line["sku"], members.items())
    found = {}
    for line in lines:
        names = [line["base_image"]] + split(line["additional_images"], ",")
        pictures = [media + name for name in names if name and name != "no_selection"]
        group, options = group_of.get(line["sku"], (None, []))
        found[line["sku"]] = article(group, options, pictures)
    return found


def prestashop_combinations(path, _media):
    def cut(text):
        return re.sub(r":[^:]*$", "", text)

    found = {}
    for line in rows(path, ";"):
        names = [name.split(":")[0] for name in split(line["Attribute (Name:Type:Position)*"], ",")]
        values = [cut(value) for value in split(line["Value (Value:Position)*"], ",")]
        sku = line["Reference"] or f"{line['Product ID*']}/{line['Value (Value:Position)*']}"
        found[sku] = article(line["Product ID*"], zip(names, values), split(line["Image URLs (x,y,z...)"], ","))
    return found


def vendure(path, media):
    found = {}
    product = {}
    for line in rows(path):
        if line["name"]:
            product = line
        names = split(product["optionGroups"], "|")
        pictures = split(line["variantAssets"], "|") + split(product["assets"], "|")
        found[line["sku"]] = article(
            product["slug"] if names else None,
            zip(names, split(line["optionValues"], "|")),
            [f"{media}/{name}" for name in pictures],
        )
    return found


def google(path, _media):
    g = "{http://base.google.com/ns/1.0}"
    found = {}
    for item in xml.parse(path).getroot().iter("item"):
        options = [(name, item.findtext(g + name)) for name in ("color", "size", "material", "pattern")]
        links = item.findall(g + "image_link") + item.findall(g + "additional_image_link")
        found[item.findtext(g + "id")] = article(
            item.findtext(g + "item_group_id"),
            [pair for pair in options if pair[1]],
            [link.text.strip().replace(" ", "%20") for link in links],
        )
    return found


def bmecat(path, _media):
    found = {}
    root = xml.parse(path).getroot()
    base = root.findtext("HEADER/CATALOG/MIME_ROOT") + "/"
    for item in root.iter("ARTICLE"):
        features = [(each.findtext("FNAME"), each.findtext("FVALUE")) for each in item.iter("FEATURE")]
        references = item.findall("ARTICLE_REFERENCE[@type='base_product']")
        pictures = [
            mime.findtext("MIME_SOURCE")
            for mime in item.findall("MIME_INFO/MIME")
            if mime.findtext("MIME_TYPE").startswith("image/") and mime.findtext("MIME_PURPOSE") in ("normal", "detail")
        ]
        found[item.findtext("SUPPLIER_AID")] = article(
            references[0].findtext("ART_ID_TO") if references else None,
            [pair for pair in features if pair[0] in ("Farbe", "Größe")],
            [link if "://" in link else base + link for link in pictures],
        )
    return found


def numbered(line, name, value, count):
    pairs = [(line.get(name.format(n)), line.get(value.format(n))) for n in range(1, count + 1)]
    return [pair for pair in pairs if pair[0] and pair[1]]


def wix(path, media):
    products = {}
    for line in rows(path):
        products.setdefault(line["handleId"], []).append(line)
    found = {}
    for handle, lines in products.items():
        product, variants = lines[0], lines[1:]
        pictures = [f"{media}/{name}" for name in split(product["productImageUrl"], ";")]
        if not variants:
            found[product["sku"] or handle] = article(None, [], pictures)
        for line in variants:
            names = {f"productOptionName{n}": product[f"productOptionName{n}"] for n in range(1, 7)}
            options = numbered({**line, **names}, "productOptionName{}", "productOptionDescription{}", 6)
            sku = line["sku"] or "/".join([handle] + [value for _, value in options])
            found[sku] = article(handle, options, pictures)
    return found


def squarespace(path, _media):
    found = {}
    product = {}
    for line in rows(path):
        if line["Product ID [Non Editable]"]:
            product = line
        if product["Visible"] == "No":
            continue
        options = numbered(line, "Option Name {}", "Option Value {}", 3)
        found[line["SKU"] or f"id:{line['Variant ID [Non Editable]']}"] = article(
            product["Product ID [Non Editable]"] if options else None, options, product["Hosted Image URLs"].split()
        )
    return found


def medusa(path, _media):
    found = {}
    for line in rows(path):
        if line["Product Status"] == "draft":
            continue
        options = numbered(line, "Variant Option {} Name", "Variant Option {} Value", 2)
        is_only = options[0][0] == "Default option"
        pictures = [line["Product Thumbnail"], line["Product Image 1 Url"], line["Product Image 2 Url"]]
        sku = line["Variant SKU"] or "/".join([line["Product Handle"]] + [value for _, value in options])
        found[sku] = article(None if is_only else line["Product Handle"], options, [url for url in pictures if url])
    return found


def heureka(path, _media):
    found = {}
    for item in xml.parse(path).getroot().iter("SHOPITEM"):
        options = [(param.findtext("PARAM_NAME"), param.findtext("VAL")) for param in item.findall("PARAM")]
        links = item.findall("IMGURL") + item.findall("IMGURL_ALTERNATIVE")
        found[item.findtext("ITEM_ID")] = article(
            item.findtext("ITEMGROUP_ID"),
            [pair for pair in options if pair[0] == "Velikost"],
            [link.text for link in links],
        )
    return found


FORMATS = {
    "shopify": shopify,
    "woocommerce": woocommerce,
    "magento2": magento2,
    "prestashop-combinations": prestashop_combinations,
    "vendure": vendure,
    "google": google,
    "bmecat": bmecat,
    "wix": wix,
    "squarespace": squarespace,
    "medusa": medusa,
    "heureka": heureka,
}

if __name__ == "__main__":
    name, path, media = sys.argv[1:]
    json.dump(FORMATS[name](path, media), sys.stdout, ensure_ascii=False)
