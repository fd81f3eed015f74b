package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"shelfwire"
)

const (
	// named is how many ids of each kind are printed.
	named = 20
	// shownMax is how many characters of a value are printed.
	shownMax = 200
)

var kinds = [...]string{"missing", "superfluous", "different"}

// judge compares a store, prints the result, and repairs the mirror with --repair. It returns whether the mirror is equal in the end.
func judge(ctx context.Context, given options, client *shelfwire.Client, target *shelfwire.DirectoryTarget, store string, output *output) (bool, error) {
	found, err := shelfwire.Compare(ctx, client, target, store)
	if err != nil {
		return false, err
	}
	if given.command == "diff" {
		for i := 0; i < len(found.Findings) && i < given.limit; i++ {
			show(output, store, found.Findings[i])
		}
	}
	about := fields{{"store", store}, {"products", found.Products}, {"changed_since", found.Changed}, {"as_of", found.AsOf}}
	since := ""
	if found.Changed > 0 {
		since = fmt.Sprintf(" (%d changed since, not compared)", found.Changed)
	}
	if found.IsEqual() {
		output.event("equal", about, fmt.Sprintf("%s: %d products, equal as of %s%s", store, found.Products, found.AsOf, since))
		return true, nil
	}
	lines := []string{fmt.Sprintf("%s: %d products, NOT equal as of %s%s", store, found.Products, found.AsOf, since)}
	for _, kind := range kinds {
		ids := []int64{}
		for _, finding := range found.Findings {
			if finding.Kind == kind {
				ids = append(ids, finding.ID)
			}
		}
		about = append(about, field{kind, ids})
		if len(ids) > 0 {
			lines = append(lines, fmt.Sprintf("  %d %s: %s", len(ids), kind, listed(ids)))
		}
	}
	damages := append([]shelfwire.Damage{}, found.Damages...)
	for _, damage := range damages {
		lines = append(lines, fmt.Sprintf("  %s, line %d cannot be read", damage.File, damage.Line))
	}
	output.event("unequal", append(about, field{"damaged", damages}), lines...)
	if !given.isRepairing {
		return false, nil
	}
	written, removed, err := shelfwire.Repair(ctx, client, target, found)
	if err != nil {
		return false, err
	}
	output.event("repaired", fields{{"store", store}, {"written", written}, {"removed", removed}},
		fmt.Sprintf("%s: repaired: %d products written, %d removed", store, written, removed))
	return true, nil
}

func listed(ids []int64) string {
	more := ""
	if len(ids) > named {
		ids, more = ids[:named], ", …"
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(ids), " ", ", "), "[]") + more
}

func show(output *output, store string, finding shelfwire.Finding) {
	about := fields{{"store", store}, {"product_id", finding.ID}, {"kind", finding.Kind}}
	lines := []string{fmt.Sprintf("%s: product %d is %s", store, finding.ID, finding.Kind)}
	members := []json.RawMessage{}
	for _, difference := range finding.Differences {
		member := fields{{"member", difference.Member}}
		lines = append(lines, "  "+difference.Member)
		if difference.Mirror != nil {
			member = append(member, field{"mirror", difference.Mirror})
			lines = append(lines, "    mirror   "+short(difference.Mirror))
		}
		if difference.Service != nil {
			member = append(member, field{"service", difference.Service})
			lines = append(lines, "    service  "+short(difference.Service))
		}
		members = append(members, json.RawMessage(object(member)))
	}
	if finding.Kind == "different" {
		about = append(about, field{"members", members})
	}
	output.event("difference", about, lines...)
}

func short(value json.RawMessage) string {
	characters := []rune(string(value))
	if len(characters) <= shownMax {
		return string(characters)
	}
	return fmt.Sprintf("%s… (%d characters)", string(characters[:shownMax]), len(characters))
}
