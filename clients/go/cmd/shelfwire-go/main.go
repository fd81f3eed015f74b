// The command of the package: a mirror in a directory, compared with the service, without a line of code.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"shelfwire"
)

const help = `Usage: shelfwire-go COMMAND --dir DIRECTORY --url URL [options]

  mirror     keep a mirror of stores on this machine: fill it, then follow what changes until Ctrl-C
  verify     compare a mirror with the service, and repair it
  diff       show what differs between a mirror and the service, member by member

  --url URL            the service's address, or SHELFWIRE_URL
  --token TOKEN        a connector token; better in SHELFWIRE_TOKEN, which stays out of the shell's history
  --token-file FILE    the token is in a file
  --dir DIRECTORY      the mirror is a directory of NDJSON files
  --store SLUG         of this store; several times for several, all unless it is given
  --moved              the service has another address than when the mirror was made
  --json               one JSON object a line on standard output
  --once               of mirror: end when everything is there, instead of following
  --repair             of verify: read again what is missing or different, and remove what the service does not have
  --limit NUMBER       of diff: show at most so many products of a store; 100 unless it is given

Exit codes: 0 done or equal; 1 a mirror is not equal; 2 the command line is wrong; 3 the service does not answer now, try later;
4 the service refuses: token, address or store; 5 the directory cannot be used; 70 unexpected; 130 interrupted.
`

// slugs is an option that is given several times.
type slugs []string

func (s *slugs) String() string { return strings.Join(*s, ",") }

func (s *slugs) Set(slug string) error {
	*s = append(*s, slug)
	return nil
}

type options struct {
	command, url, token, tokenFile, directory string
	stores                                    slugs
	isMoved, isJSON, isOnce, isRepairing      bool
	limit                                     int
}

func main() {
	// the first signal ends the command in an orderly way, the second one kills the process
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() {
		<-ctx.Done()
		stop()
	}()
	output := &output{}
	for _, argument := range os.Args[1:] {
		output.isJSON = output.isJSON || argument == "--json" || argument == "-json"
	}
	given, err := parsed(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		fmt.Print(help)
		return
	}
	var code int
	if err == nil {
		code, err = run(ctx, given, output)
	}
	if ctx.Err() != nil && err != nil {
		os.Exit(exitInterrupted)
	}
	if err != nil {
		failure := failureOf(err, given.url)
		output.failed(failure)
		code = failure.exit
	}
	os.Exit(code)
}

func parsed(arguments []string) (given options, err error) {
	if len(arguments) == 0 || strings.HasPrefix(arguments[0], "-") {
		return given, flag.ErrHelp
	}
	given.command = arguments[0]
	flags := flag.NewFlagSet(given.command, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&given.url, "url", os.Getenv("SHELFWIRE_URL"), "")
	flags.StringVar(&given.token, "token", "", "")
	flags.StringVar(&given.tokenFile, "token-file", "", "")
	flags.StringVar(&given.directory, "dir", "", "")
	flags.Var(&given.stores, "store", "")
	flags.BoolVar(&given.isMoved, "moved", false, "")
	flags.BoolVar(&given.isJSON, "json", false, "")
	switch given.command {
	case "mirror":
		flags.BoolVar(&given.isOnce, "once", false, "")
	case "verify":
		flags.BoolVar(&given.isRepairing, "repair", false, "")
	case "diff":
		flags.IntVar(&given.limit, "limit", 100, "")
	default:
		return given, usage("the commands are mirror, verify and diff; see --help")
	}
	if err := flags.Parse(arguments[1:]); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return given, err
		}
		return given, usage("%s; see --help", err)
	}
	switch {
	case flags.NArg() > 0:
		// the message does not repeat the argument, which may be a token
		return given, usage("every argument belongs to an option that begins with --; see --help")
	case given.directory == "":
		return given, usage("say where the mirror is: --dir DIRECTORY")
	case given.url == "":
		return given, usage("give the service's address: --url https://catalog.example, or SHELFWIRE_URL")
	}
	given.token, err = tokenOf(given)
	return given, err
}

func tokenOf(given options) (string, error) {
	token := given.token
	switch {
	case token != "" && given.tokenFile != "":
		return "", usage("give --token or --token-file, not both")
	case given.tokenFile != "":
		text, err := os.ReadFile(given.tokenFile)
		if err != nil {
			return "", usage("--token-file cannot be read: %s", err)
		}
		token = string(text)
	case token == "":
		token = os.Getenv("SHELFWIRE_TOKEN")
	}
	token = strings.TrimSpace(token)
	if token == "" {
		return "", usage("give a token: SHELFWIRE_TOKEN, --token-file FILE or --token TOKEN")
	}
	return token, nil
}

func run(ctx context.Context, given options, output *output) (int, error) {
	client, err := shelfwire.NewClient(given.url, given.token)
	if err != nil {
		return 0, usage("%s", err)
	}
	asking := *client
	// a person waits for this: two attempts are enough
	asking.Attempts = 2
	active, err := asking.Stores(ctx)
	if err != nil {
		return 0, err
	}
	opened, err := openMirror(given)
	if err != nil {
		return 0, err
	}
	defer opened.target.Close()
	stores, err := opened.choose(given, client.URL, active)
	if err != nil {
		return 0, err
	}
	if given.command == "mirror" {
		return mirror(ctx, given, client, opened.target, stores, output)
	}
	if given.isRepairing {
		if err := shelfwire.NewSync(client, opened.target, stores...).Once(ctx); err != nil {
			return 0, err
		}
	}
	code := exitDone
	for _, store := range stores {
		isEqual, err := judge(ctx, given, client, opened.target, store, output)
		if err != nil {
			failure := failureOf(err, client.URL)
			if failure.exit != exitUnequal || ctx.Err() != nil {
				return 0, err
			}
			// this store cannot be compared; the others are
			output.failed(failure)
		}
		if !isEqual {
			code = exitUnequal
		}
	}
	return code, nil
}
