// Package shelfwire reads a Shelfwire catalog, keeps a mirror of it that loses nothing and proves that it is equal, and verifies its
// webhooks. It needs only the standard library; README.md is the introduction.
package shelfwire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Client reads the catalog of one account. Requests are repeated where they may succeed later, never sooner than Retry-After says.
type Client struct {
	// URL is the service's address, without a slash at its end and without /v1.
	URL string
	// Attempts is how often a request is sent at most.
	Attempts int
	// PauseMax is the longest pause between two attempts. Where the service asks for a longer one, the request fails at once.
	PauseMax time.Duration
	// Silence is how long the service may send nothing.
	Silence time.Duration
	// HTTP sends the requests. It must not follow redirects, because a token is for one address.
	HTTP *http.Client

	token string
}

var tokenForm = regexp.MustCompile(`^[!-~]+$`)

// NewClient makes a client of a service; the address may end with /v1.
func NewClient(address, token string) (*Client, error) {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" || parsed.User != nil || (parsed.Scheme != "http" && parsed.Scheme != "https") {
		return nil, errors.New("the address begins with https:// or http:// and has no user: https://catalog.example")
	}
	if !tokenForm.MatchString(token) {
		return nil, errors.New("the token has characters that no token has: was it copied whole?")
	}
	base := parsed.Scheme + "://" + parsed.Host + strings.TrimRight(parsed.Path, "/")
	return &Client{
		URL:      strings.TrimSuffix(base, "/v1"),
		Attempts: 6,
		PauseMax: 30 * time.Second,
		Silence:  60 * time.Second,
		HTTP: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}},
		token: token,
	}, nil
}

// Answer is the answer to Get. With status 304 there is no body: nothing has changed since the answer with that ETag.
type Answer struct {
	Status int
	ETag   string
	Body   []byte
	isJSON bool
}

// Get reads any address below /v1. With the ETag of an earlier answer the status may be 304.
func (c *Client) Get(ctx context.Context, path string, query url.Values, etag string) (Answer, error) {
	return c.get(ctx, path, query, etag, func(Answer) error { return nil })
}

func (c *Client) get(ctx context.Context, path string, query url.Values, etag string, parse func(Answer) error) (answer Answer, err error) {
	header := http.Header{"Accept": {"application/json"}}
	if etag != "" {
		header.Set("If-None-Match", etag)
	}
	err = c.repeat(ctx, func() error {
		response, err := c.open(ctx, path, query, header)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			return cutOff(ctx, err)
		}
		answer = Answer{response.StatusCode, response.Header.Get("ETag"), body, strings.Contains(response.Header.Get("Content-Type"), "json")}
		return parse(answer)
	})
	return answer, err
}

// read reads an answer into a value; a request whose answer was cut off is repeated.
func (c *Client) read(ctx context.Context, path string, query url.Values, into any) error {
	_, err := c.get(ctx, path, query, "", func(answer Answer) error { return decode(answer, into) })
	return err
}

func decode(answer Answer, into any) error {
	if err := json.Unmarshal(answer.Body, into); err != nil {
		if answer.isJSON && !json.Valid(answer.Body) {
			// a proxy may have cut it off without an error
			return &Error{Code: "no-answer", Detail: "the transfer was cut off: " + start(answer.Body), Cause: err}
		}
		return &Error{Code: "not-shelfwire", Status: answer.Status, Detail: "not what the API answers: " + start(answer.Body), Cause: err}
	}
	return nil
}

// Stores are the active ones, the default one first.
func (c *Client) Stores(ctx context.Context) ([]Store, error) {
	var answer struct{ Data []Store }
	err := c.read(ctx, "/stores", nil, &answer)
	return answer.Data, err
}

// Products are those of at most 200 ids that the store lists.
func (c *Client) Products(ctx context.Context, store string, ids []int64) ([]Product, error) {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = strconv.FormatInt(id, 10)
	}
	var answer struct{ Data []Product }
	query := url.Values{"store": {store}, "ids": {strings.Join(texts, ",")}, "per_page": {"200"}}
	err := c.read(ctx, "/products", query, &answer)
	return answer.Data, err
}

// Walk calls take with each product of a store whose id is above after, by id ascending, until take fails.
func (c *Client) Walk(ctx context.Context, store string, after int64, take func(Product) error) error {
	for next := &after; next != nil; {
		var answer page
		query := url.Values{"store": {store}, "after_id": {strconv.FormatInt(*next, 10)}, "per_page": {"200"}}
		if err := c.read(ctx, "/products", query, &answer); err != nil {
			return err
		}
		for _, product := range answer.Data {
			if err := take(product); err != nil {
				return err
			}
		}
		if answer.next != nil && *answer.next <= *next {
			return &Error{Code: "not-shelfwire", Status: http.StatusOK, Detail: fmt.Sprintf("the page after %d leads back", *next)}
		}
		next = answer.next
	}
	return nil
}

// Changes is one window of the feed after a cursor; where there is no change, the service waits for one for so many seconds. With expand it has
// the products, at most 200; a changed product that is not among them has left the store.
func (c *Client) Changes(ctx context.Context, store string, cursor Cursor, wait int, expand bool) (ChangeList, error) {
	query := url.Values{"store": {store}, "since": {cursor.Since}, "since_id": {strconv.FormatInt(cursor.SinceID, 10)}}
	if wait > 0 {
		query.Set("wait", strconv.Itoa(wait))
	}
	if expand {
		query.Set("limit", "200")
		query.Set("expand", "products")
	}
	var answer ChangeList
	err := c.read(ctx, "/changes", query, &answer)
	return answer, err
}

// Export calls begin with the cursor from which the feed continues, and then take with each product as it arrives, until one of them fails. A regular
// end does not prove that the export was complete, because a proxy may end one that was cut off as if it were. Sync therefore walks the products after
// the last one.
func (c *Client) Export(ctx context.Context, store string, begin func(Cursor) error, take func(Product) error) error {
	var response *http.Response
	err := c.repeat(ctx, func() (err error) {
		header := http.Header{"Accept": {"application/x-ndjson"}}
		response, err = c.open(ctx, "/export", url.Values{"store": {store}}, header)
		return err
	})
	if err != nil {
		return err
	}
	defer response.Body.Close()
	since := response.Header.Get("Shelfwire-Next-Since")
	id, err := strconv.ParseInt(response.Header.Get("Shelfwire-Next-Id"), 10, 64)
	if err != nil || since == "" {
		return &Error{Code: "not-shelfwire", Status: response.StatusCode, Detail: "an export without a cursor", Cause: err}
	}
	if err := begin(Cursor{since, id}); err != nil {
		return err
	}
	lines := bufio.NewReaderSize(response.Body, 1<<16)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF && len(line) == 0 {
			return nil
		}
		if err != nil {
			return cutOff(ctx, err)
		}
		var product Product
		if err := json.Unmarshal(line[:len(line)-1], &product); err != nil {
			detail := "a line of the export is no product: " + start(line)
			return &Error{Code: "not-shelfwire", Status: response.StatusCode, Detail: detail, Cause: err}
		}
		if err := take(product); err != nil {
			return err
		}
	}
}

// open sends a request once. Reading its body fails where nothing has arrived for Silence.
func (c *Client) open(ctx context.Context, path string, query url.Values, header http.Header) (*http.Response, error) {
	ctx, cancel := context.WithCancel(ctx)
	silence := time.AfterFunc(c.Silence, cancel)
	address := c.URL + "/v1" + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		cancel()
		return nil, err
	}
	request.Header = header.Clone()
	request.Header.Set("Authorization", "Bearer "+c.token)
	// the transport requests gzip and unpacks it
	response, err := c.HTTP.Do(request)
	if err != nil {
		cancel()
		return nil, &Error{Code: "no-answer", Detail: c.URL + " does not answer: " + reasonOf(err), Cause: err}
	}
	response.Body = &watched{response.Body, silence, c.Silence, cancel}
	if response.StatusCode >= 300 && response.StatusCode != http.StatusNotModified {
		defer response.Body.Close()
		return nil, refusal(response)
	}
	return response, nil
}

func reasonOf(err error) string {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err.Error()
	}
	return err.Error()
}

// watched is a body that cancels its request when nothing has arrived for a time.
type watched struct {
	body    io.ReadCloser
	silence *time.Timer
	limit   time.Duration
	cancel  context.CancelFunc
}

func (w *watched) Read(into []byte) (int, error) {
	w.silence.Reset(w.limit)
	// the time between two reads does not count
	defer w.silence.Stop()
	return w.body.Read(into)
}

func (w *watched) Close() error {
	w.silence.Stop()
	w.cancel()
	return w.body.Close()
}

func (c *Client) repeat(ctx context.Context, read func() error) error {
	for attempt := 1; ; attempt++ {
		err := read()
		if err == nil || ctx.Err() != nil {
			return firstOf(ctx.Err(), err)
		}
		var refused *Error
		if !errors.As(err, &refused) || !refused.IsPassing() || attempt >= c.Attempts || refused.RetryAfter > c.PauseMax {
			return err
		}
		pause := refused.RetryAfter
		if pause > 0 {
			// never sooner than the service asks for, with jitter so that clients do not all return at the same moment
			pause += time.Duration(rand.Float64() * float64(pause) / 5)
		} else {
			pause = 250 * time.Millisecond << (attempt - 1)
			if pause > c.PauseMax {
				pause = c.PauseMax
			}
			pause = pause/2 + time.Duration(rand.Float64()*float64(pause)/2)
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func cutOff(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &Error{Code: "no-answer", Detail: "the transfer was cut off: " + err.Error(), Cause: err}
}

func start(text []byte) string {
	if len(text) > 200 {
		text = text[:200]
	}
	return fmt.Sprintf("%q", bytes.ToValidUTF8(text, []byte("\ufffd")))
}
