package io.carillon.examples.presence;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.sip.hop.Transport;
import io.carillon.testkit.Received;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.SimulatedNetwork;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SipTest(archives = "target/presence", roundTrip = true)
class PresenceServletTest {
    private static final String PIDF = "Content-Type: application/pidf+xml";

    private SipTestServer server;
    private ScriptedPeer ann;
    private ScriptedPeer bob;
    private int count;

    @BeforeEach
    void start(SipTestServer started) {
        server = started;
        ann = server.peer("ann");
        bob = server.peer("bob");
    }

    private static String document(String tuple, String status) {
        return """
        <?xml version="1.0"?>
        <presence xmlns="urn:ietf:params:xml:ns:pidf" entity="sip:ann@10.0.0.1">
        <tuple id="%s"><status><basic>%s</basic></status></tuple></presence>
        """
                .formatted(tuple, status);
    }

    /**
     * Sends a request of a new transaction; the answer is the last one with its Call-ID and CSeq.
     */
    private Received ask(
            ScriptedPeer who, String line, String to, String callId, String body, String... more) {
        String host = who.address().getHostString();
        String method = line.substring(0, line.indexOf(' '));
        String cseq = ++count + " " + method;
        String headers = more.length == 0 ? "" : String.join("\n", more) + "\n";
        who.send(
                SimulatedNetwork.address(SipTestServer.HOST, 5060),
                String.join(
                                "\n",
                                line + " SIP/2.0",
                                "Via: SIP/2.0/UDP "
                                        + host
                                        + ":"
                                        + who.address().getPort()
                                        + ";branch=z9hG4bK"
                                        + count,
                                "Max-Forwards: 70",
                                "From: <sip:" + who.name() + "@" + host + ">;tag=" + who.name(),
                                "To: " + to,
                                "Call-ID: " + callId,
                                "CSeq: " + cseq,
                                headers.contains("Contact:")
                                        ? headers.strip()
                                        : "Contact: <sip:" + who.name() + "@" + host + ">",
                                headers.contains("Contact:") ? "" : headers)
                        + "\n"
                        + body);
        Received[] answer = new Received[1];
        server.time()
                .runUntil(
                        () -> {
                            for (Received r : who.all()) {
                                if (r.header("CSeq").equals(cseq) && !r.start().equals(method)) {
                                    answer[0] = r;
                                }
                            }
                            return answer[0] != null;
                        },
                        Duration.ofSeconds(1));
        assertThat(answer[0]).as("an answer to %s", line).isNotNull();
        return answer[0];
    }

    private Received publish(ScriptedPeer who, String body, String... headers) {
        String[] all = java.util.Arrays.copyOf(headers, headers.length + (body.isEmpty() ? 1 : 2));
        all[headers.length] = "Event: presence";
        if (!body.isEmpty()) {
            all[headers.length + 1] = PIDF;
        }
        return ask(who, "PUBLISH sip:ann@10.0.0.1", "<sip:ann@10.0.0.1>", "pub" + count, body, all);
    }

    private Received subscribe(ScriptedPeer who, Received inDialog, int seconds) {
        String to = inDialog == null ? "<sip:ann@10.0.0.1>" : inDialog.header("To");
        String uri =
                inDialog == null
                        ? "sip:ann@10.0.0.1"
                        : inDialog.header("Contact").replaceAll("[<>]", "");
        return ask(
                who,
                "SUBSCRIBE " + uri,
                to,
                "sub-" + who.name(),
                "",
                "Event: presence",
                "Accept: application/pidf+xml",
                "Expires: " + seconds);
    }

    /** SUBSCRIBE in the dialog of his first 200. */
    private int refresh(ScriptedPeer who, String... headers) {
        String[] all = java.util.Arrays.copyOf(headers, headers.length + 2);
        all[headers.length] = "Event: presence";
        all[headers.length + 1] = "Expires: 600";
        Received first = first(who);
        String uri = first.header("Contact").replaceAll("[<>]", "");
        return ask(who, "SUBSCRIBE " + uri, first.header("To"), "sub-" + who.name(), "", all)
                .response()
                .status();
    }

    private static Received notified(ScriptedPeer who) {
        Received notify = who.expect("NOTIFY");
        who.reply(notify, 200);
        return notify;
    }

    private static String body(Received message) {
        return new String(message.message().body(), StandardCharsets.UTF_8);
    }

    @Test
    void rfc6665EveryWatcherGetsTheStateAtOnceAndEachChange() {
        Received first = subscribe(ann, null, 600);
        assertThat(first.response().status()).isEqualTo(200);
        assertThat(first.header("Expires")).as("until he has proved that he asked").isEqualTo("60");
        Received empty = notified(ann);
        assertThat(empty.header("Event")).isEqualTo("presence");
        assertThat(empty.header("Subscription-State")).startsWith("active;expires=60");
        assertThat(body(empty)).contains("entity=\"sip:ann@10.0.0.1\"").doesNotContain("tuple");
        assertThat(subscribe(bob, null, 600).response().status()).isEqualTo(200);
        notified(bob);
        for (ScriptedPeer watcher : new ScriptedPeer[] {ann, bob}) {
            assertThat(refresh(watcher)).isEqualTo(200);
            assertThat(notified(watcher).header("Subscription-State"))
                    .startsWith("active;expires=600");
        }
        Received tag = publish(ann, document("desk", "open"));
        assertThat(tag.response().status()).isEqualTo(200);
        assertThat(tag.header("SIP-ETag")).isNotEmpty();
        assertThat(tag.header("Expires")).isEqualTo("3600");
        for (ScriptedPeer watcher : new ScriptedPeer[] {ann, bob}) {
            assertThat(body(notified(watcher))).contains("desk").contains("open");
        }
        publish(bob, document("mobile", "closed"));
        assertThat(body(notified(ann))).contains("desk").contains("mobile");
        assertThat(body(notified(bob))).contains("desk").contains("mobile");
        Received last = subscribe(bob, first(bob), 0);
        assertThat(last.header("Expires")).isEqualTo("0");
        assertThat(notified(bob).header("Subscription-State"))
                .isEqualTo("terminated;reason=timeout");
        publish(ann, "", "SIP-If-Match: " + tag.header("SIP-ETag"), "Expires: 0");
        assertThat(body(notified(ann))).contains("mobile").doesNotContain("desk");
        server.advance(Duration.ofSeconds(5));
        assertThat(bob.count("NOTIFY")).as("nothing after the last").isEqualTo(5);
        assertThat(subscribe(bob, first(bob), 60).response().status()).isEqualTo(481);
    }

    /** The 200 that made the dialog of this watcher. */
    private static Received first(ScriptedPeer who) {
        return who.all().stream()
                .filter(r -> r.start().equals("200") && r.header("CSeq").endsWith("SUBSCRIBE"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void rfc3903APublicationIsRefreshedModifiedAndRemovedByItsEntityTag() {
        subscribe(bob, null, 3600);
        notified(bob);
        refresh(bob);
        notified(bob);
        String tag = publish(ann, document("a", "open"), "Expires: 60").header("SIP-ETag");
        notified(bob);
        server.advance(Duration.ofSeconds(50));
        Received refreshed = publish(ann, "", "SIP-If-Match: " + tag, "Expires: 60");
        assertThat(refreshed.header("SIP-ETag")).isNotEqualTo(tag);
        server.advance(Duration.ofSeconds(50));
        assertThat(bob.count("NOTIFY")).as("a refresh is no news").isEqualTo(3);
        assertThat(publish(ann, "", "SIP-If-Match: " + tag).response().status())
                .as("the old tag")
                .isEqualTo(412);
        String modified =
                publish(
                                ann,
                                document("a", "closed"),
                                "SIP-If-Match: " + refreshed.header("SIP-ETag"),
                                "Expires: 60")
                        .header("SIP-ETag");
        assertThat(body(notified(bob))).contains("closed").doesNotContain("open");
        server.advance(Duration.ofSeconds(61));
        assertThat(body(notified(bob))).as("it has expired").doesNotContain("tuple");
        assertThat(publish(ann, "", "SIP-If-Match: " + modified).response().status())
                .isEqualTo(412);
    }

    @Test
    void aSubscriptionThatIsNotRefreshedEndsAndNothingIsLeft() {
        Received dialog = subscribe(bob, null, 60);
        notified(bob);
        server.advance(Duration.ofSeconds(40));
        assertThat(subscribe(bob, dialog, 60).response().status()).isEqualTo(200);
        notified(bob);
        server.advance(Duration.ofSeconds(40));
        assertThat(bob.count("NOTIFY")).isEqualTo(2);
        server.advance(Duration.ofSeconds(21));
        assertThat(notified(bob).header("Subscription-State"))
                .isEqualTo("terminated;reason=timeout");
        server.assertNothingLeft();
    }

    @Test
    void aStrangerSubscribesNobodyElse() {
        for (String contact :
                new String[] {
                    "Contact: <sip:bob@" + bob.address().getHostString() + ">",
                    "Contact: <sip:bob@bob.example>",
                    "Contact: <sip:x@x;maddr=" + bob.address().getHostString() + ">",
                    "Record-Route: <sip:"
                            + bob.address().getHostString()
                            + ";lr>\nContact: <sip:ann@"
                            + ann.address().getHostString()
                            + ">"
                }) {
            ann.send(
                    SimulatedNetwork.address(SipTestServer.HOST, 5060),
                    "SUBSCRIBE sip:ann@10.0.0.1 SIP/2.0\nVia: SIP/2.0/UDP "
                            + ann.address().getHostString()
                            + ":5060;branch=z9hG4bKf"
                            + ++count
                            + "\nMax-Forwards: 70\nFrom: <sip:m@x>;tag=m\nTo: <sip:ann@10.0.0.1>\n"
                            + "Call-ID: foreign"
                            + count
                            + "\nCSeq: 1 SUBSCRIBE\n"
                            + contact
                            + "\nEvent: presence\nExpires: 600\n\n");
            assertThat(ann.expect("403").start()).isEqualTo("403");
        }
        server.time().runFor(Duration.ofSeconds(40));
        assertThat(bob.all()).isEmpty();
    }

    @Test
    void aRefreshMovesTheWatcherToNobodyElse() {
        String foreign = ann.address().getHostString();
        String own = bob.address().getHostString();
        subscribe(bob, null, 600);
        notified(bob);
        for (String contact :
                new String[] {
                    "Contact: <sip:w@" + foreign + ">",
                    "Contact: <sip:w@" + foreign + ":6379;transport=tcp>",
                    "Contact: <sip:w@" + own + ":6379;transport=tcp>",
                    "Contact: <sip:w@" + own + ":6379>",
                    "Contact: <sip:w@name.invalid;transport=ws>",
                    "Record-Route: <sip:" + own + ";lr>\nContact: <sip:w@" + foreign + ">"
                }) {
            assertThat(refresh(bob, contact)).as(contact).isEqualTo(403);
        }
        assertThat(refresh(bob, "Contact: <sip:other@" + own + ">")).isEqualTo(200);
        notified(bob);
        publish(bob, document("a", "open"));
        assertThat(body(notified(bob))).contains("open");
        assertThat(ann.all()).isEmpty();
    }

    /** RFC 3261 12.2.1.2: the Contact of a 2xx is the target of what follows. */
    @Test
    void theAnswerToANotifyMovesTheWatcherToNobodyElse() {
        subscribe(bob, null, 600);
        bob.reply(
                bob.expect("NOTIFY"),
                200,
                "Contact: <sip:w@" + ann.address().getHostString() + ">");
        server.advance(Duration.ofMillis(100));
        publish(bob, document("a", "open"), "Expires: 60");
        server.advance(Duration.ofSeconds(50));
        assertThat(ann.all()).isEmpty();
        assertThat(refresh(bob)).as("from where he is").isEqualTo(200);
        notified(bob);
        bob.forget();
        server.advance(Duration.ofSeconds(601));
        notified(bob);
        server.assertNothingLeft();
    }

    @Test
    void aSubscriptionForNoTimeAsksOnce() {
        publish(ann, document("a", "open"), "Expires: 60");
        assertThat(subscribe(bob, null, 0).response().status()).isEqualTo(200);
        assertThat(body(notified(bob))).as("is he there?").isEmpty();
        Received only = notified(bob);
        assertThat(only.header("Subscription-State")).startsWith("terminated");
        assertThat(body(only)).contains("open");
        server.advance(Duration.ofSeconds(61));
        server.assertNothingLeft();
    }

    /** Bytes of everything that came. */
    private static int bytes(ScriptedPeer who) {
        return who.all().stream().mapToInt(r -> r.message().length()).sum();
    }

    /** RFC 6665 4.2.1.2: the NOTIFY at once may have an empty body. */
    @Test
    void whoseAddressStandsOnADatagramIsNotSentTheDocument() {
        publish(
                ann,
                document("a", "open")
                        .replace("</tuple>", "<!--" + "x".repeat(3000) + "--></tuple>"));
        subscribe(bob, null, 600);
        Received first = bob.expect("NOTIFY");
        assertThat(body(first)).isEmpty();
        assertThat(first.header("Subscription-State")).isEqualTo("pending;expires=60");
        publish(ann, document("b", "open"));
        server.advance(Duration.ofMinutes(2));
        assertThat(bob.count("NOTIFY")).isEqualTo(1);
        assertThat(bytes(bob)).isLessThan(1200);
    }

    @Test
    void whoAnswersTheFirstNotifyIsSentTheDocumentAndLaterOnesFromHisRefreshOn() {
        publish(ann, document("a", "open"));
        Received dialog = subscribe(bob, null, 600);
        assertThat(body(notified(bob))).isEmpty();
        Received active = notified(bob);
        assertThat(active.header("Subscription-State")).isEqualTo("active;expires=60");
        assertThat(body(active)).contains("open");
        publish(ann, document("b", "open"));
        server.advance(Duration.ofSeconds(30));
        assertThat(bob.count("NOTIFY")).isEqualTo(2);
        subscribe(bob, dialog, 600);
        assertThat(body(notified(bob))).contains("\"b\"");
        publish(ann, document("c", "open"));
        assertThat(body(notified(bob))).contains("\"c\"");
    }

    /**
     * RFC 6665 4.1.3: many phones say 200 to any NOTIFY. So whose address stands on a datagram is
     * sent no more than a few times of it, whatever is published.
     */
    @Test
    void aPhoneThatTakesAnyNotifyIsNotFlooded() {
        String large =
                document("a", "open")
                        .replace("</tuple>", "<!--" + "x".repeat(3000) + "--></tuple>");
        publish(ann, large);
        for (int i = 0; i < 4; i++) {
            assertThat(watch(bob, "w" + i)).isEqualTo(200);
            notified(bob);
        }
        String tag = publish(ann, document("b", "open")).header("SIP-ETag");
        for (int i = 0; i < 20; i++) {
            tag = publish(ann, document("b", "n" + i), "SIP-If-Match: " + tag).header("SIP-ETag");
        }
        for (int second = 0; second < 100; second++) {
            server.advance(Duration.ofSeconds(1));
            bob.all().stream()
                    .filter(r -> r.start().equals("NOTIFY"))
                    .skip(4)
                    .forEach(r -> bob.reply(r, 200));
        }
        assertThat(bob.count("NOTIFY")).as("that he is asked, and the end").isEqualTo(8);
        assertThat(bytes(bob)).isLessThan(8 * 1_000);
    }

    /** RFC 7118 5.2: the name is that of one connection, which leads to nobody else. */
    @Test
    void aBrowserSubscribesNoOtherBrowser() {
        bob.transport(Transport.WS);
        for (String name : new String[] {"other.invalid", "own.invalid"}) {
            bob.send(
                    SimulatedNetwork.address(SipTestServer.HOST, 5060),
                    "SUBSCRIBE sip:ann@10.0.0.1 SIP/2.0\nVia: SIP/2.0/WS own.invalid;branch=z9hG4bK"
                            + name
                            + "\nMax-Forwards: 70\nFrom: <sip:m@x>;tag=m\nTo: <sip:ann@10.0.0.1>\n"
                            + "Call-ID: "
                            + name
                            + "\nCSeq: 1 SUBSCRIBE\nContact: <sip:w@"
                            + name
                            + ";transport=ws>\nEvent: presence\nExpires: 600\n\n");
            server.advance(Duration.ofMillis(100));
        }
        assertThat(bob.count("403")).isEqualTo(1);
        assertThat(bob.count("200")).isEqualTo(1);
        assertThat(bob.expect("NOTIFY").header("Call-ID")).isEqualTo("own.invalid");
    }

    /** RFC 6665 4.4.3: a poll; who does not take the first NOTIFY gets no other. */
    @Test
    void aPollOfWhoIsNotThereIsToldNothing() {
        publish(ann, document("a", "open"), "Expires: 60");
        subscribe(bob, null, 0);
        Received first = bob.expect("NOTIFY");
        assertThat(first.header("Subscription-State")).isEqualTo("pending;expires=0");
        bob.reply(first, 481);
        server.advance(Duration.ofSeconds(61));
        assertThat(bob.count("NOTIFY")).isEqualTo(1);
        server.assertNothingLeft();
    }

    @Test
    void whoRefusesTheFirstNotifyIsToldOfTheEndWithoutTheDocument() {
        publish(ann, document("a", "open"));
        subscribe(bob, null, 600);
        bob.reply(bob.expect("NOTIFY"), 500);
        Received last = notified(bob);
        assertThat(last.header("Subscription-State")).startsWith("terminated");
        assertThat(body(last)).isEmpty();
    }

    @Test
    void aPublicationThatIsRemovedLeavesNothing() {
        String tag = publish(ann, document("a", "open")).header("SIP-ETag");
        assertThat(publish(ann, "", "SIP-If-Match: " + tag, "Expires: 0").start()).isEqualTo("200");
        server.assertNothingLeft();
    }

    @Test
    void whoDoesNotTakeANotifyIsAWatcherNoLonger() {
        subscribe(ann, null, 600);
        ann.reply(ann.expect("NOTIFY"), 481);
        subscribe(bob, null, 600);
        bob.reply(bob.expect("NOTIFY"), 500);
        assertThat(notified(bob).header("Subscription-State")).startsWith("terminated");
        ScriptedPeer dead = server.peer("dead");
        subscribe(dead, null, 600);
        server.assertNothingLeft();
    }

    /** RFC 3261 12.2.2: a NOTIFY that is overtaken by a later one would be refused with 500. */
    @Test
    void oneNotifyAtATime() {
        subscribe(bob, null, 600);
        Received first = bob.expect("NOTIFY");
        String tag = publish(ann, document("a", "open")).header("SIP-ETag");
        publish(ann, document("a", "closed"), "SIP-If-Match: " + tag);
        server.advance(Duration.ofMillis(200));
        assertThat(bob.count("NOTIFY")).isEqualTo(1);
        bob.reply(first, 200);
        assertThat(body(notified(bob))).contains("closed");
        server.advance(Duration.ofSeconds(1));
        assertThat(bob.count("NOTIFY")).as("the state between is nobody's any more").isEqualTo(2);
    }

    @Test
    @SipTest(
            archives = "target/presence",
            contextParams = {"presence.max-publications=2", "presence.max-watchers=1"})
    void publicationsAndWatchersAreBounded(SipTestServer small) {
        for (int i = 0; i < 2; i++) {
            assertThat(publish(ann, document("a" + i, "open"), "Expires: 60").response().status())
                    .isEqualTo(200);
        }
        assertThat(publish(ann, document("more", "open"), "Expires: 60").response().status())
                .isEqualTo(403);
        Received watching = subscribe(bob, null, 60);
        assertThat(watching.response().status()).isEqualTo(200);
        notified(bob);
        assertThat(subscribe(ann, null, 60).response().status()).isEqualTo(403);
        small.advance(Duration.ofSeconds(70));
        bob.reply(bob.expect("NOTIFY"), 200); // a publication has ended
        small.advance(Duration.ofMinutes(2));
        assertThat(publish(ann, document("later", "open"), "Expires: 60").response().status())
                .isEqualTo(200);
    }

    @Test
    @SipTest(archives = "target/presence", contextParams = "presence.max-watchers=1")
    void aPollCountsUntilItsNotifyIsAnswered(SipTestServer small) {
        assertThat(subscribe(bob, null, 0).response().status()).isEqualTo(200);
        assertThat(subscribe(ann, null, 60).response().status()).isEqualTo(403);
        notified(bob);
        small.advance(Duration.ofMillis(100));
        assertThat(subscribe(ann, null, 60).response().status()).isEqualTo(200);
    }

    @Test
    @SipTest(archives = "target/presence", contextParams = "presence.heap-percent=1")
    void rfc3261_21_5_4_publicationsOfEverNewUsersAreBoundedAndASourceHasAShare(
            SipTestServer small) {
        int users = 0;
        Received answer;
        do {
            answer = publishFor(ann, users++);
        } while (answer.response().status() == 200);
        assertThat(answer.response().status()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).isNotEmpty();
        assertThat(publishFor(bob, users).response().status()).as("another's").isEqualTo(200);
        small.advance(Duration.ofSeconds(61));
        small.assertNothingLeft();
        assertThat(publishFor(ann, 0).response().status()).as("all have expired").isEqualTo(200);
    }

    private Received publishFor(ScriptedPeer who, int user) {
        String uri = "sip:u" + user + "@10.0.0.1";
        return ask(
                who,
                "PUBLISH " + uri,
                "<" + uri + ">",
                "pub" + count,
                document("a", "x".repeat(3800)),
                "Event: presence",
                "Expires: 60",
                PIDF);
    }

    /** A prefix that the root declares stands in each part that goes among others. */
    @Test
    void aDocumentThatGrowsWhenItIsComposedIsTooLarge() {
        String grows =
                "<presence xmlns='urn:ietf:params:xml:ns:pidf' xmlns:a='urn:"
                        + "x".repeat(900)
                        + "' entity='sip:a@b'>"
                        + "<a:b/>".repeat(400)
                        + "</presence>";
        assertThat(publish(ann, grows).response().status()).isEqualTo(413);
        server.assertNothingLeft();
    }

    @Test
    void whatCannotBeDoneIsRefusedWithTheReason() {
        Received brief = publish(ann, document("a", "open"), "Expires: 10");
        assertThat(brief.response().status()).isEqualTo(423);
        assertThat(brief.header("Min-Expires")).isEqualTo("60");
        assertThat(publish(ann, "").response().status()).as("nothing published").isEqualTo(400);
        String plain = "<presence xmlns='urn:ietf:params:xml:ns:pidf' entity='sip:a@b'/>";
        assertThat(publish(ann, "<presence/>").response().status()).isEqualTo(400);
        assertThat(
                        publish(ann, "<!DOCTYPE presence [<!ENTITY x 'y'>]>" + plain)
                                .response()
                                .status())
                .isEqualTo(400);
        assertThat(publish(ann, document("a", "x".repeat(4100))).response().status())
                .isEqualTo(413);
        assertThat(subscribe(bob, null, 59).response().status()).isEqualTo(423);
        String tooLong = "sip:" + "u".repeat(200) + "@10.0.0.1";
        Received named =
                ask(bob, "SUBSCRIBE " + tooLong, "<" + tooLong + ">", "l", "", "Event: presence");
        assertThat(named.response().status()).isEqualTo(414);
        Received bad =
                ask(bob, "SUBSCRIBE sip:ann@10.0.0.1", "<sip:ann@10.0.0.1>", "x", "", "Event: mwi");
        assertThat(bad.response().status()).isEqualTo(489);
        assertThat(bad.header("Allow-Events")).isEqualTo("presence");
        Received cpim =
                ask(
                        bob,
                        "SUBSCRIBE sip:ann@10.0.0.1",
                        "<sip:ann@10.0.0.1>",
                        "y",
                        "",
                        "Event: presence",
                        "Accept: application/cpim-pidf+xml");
        assertThat(cpim.response().status()).isEqualTo(406);
        Received text =
                ask(
                        ann,
                        "PUBLISH sip:ann@10.0.0.1",
                        "<sip:ann@10.0.0.1>",
                        "z",
                        "here",
                        "Event: presence",
                        "Content-Type: text/plain");
        assertThat(text.response().status()).isEqualTo(415);
        assertThat(text.header("Accept")).isEqualTo("application/pidf+xml");
        server.assertNothingLeft();
    }

    @Test
    void anEventThatIsLongerThanAnyNeedsIs400AndNothingIsKept() {
        for (String method : new String[] {"SUBSCRIBE", "PUBLISH"}) {
            Received no =
                    ask(
                            bob,
                            method + " sip:ann@10.0.0.1",
                            "<sip:ann@10.0.0.1>",
                            "long" + method,
                            "",
                            "Event: presence;id=" + "x".repeat(200),
                            "Expires: 0");
            assertThat(no.response().status()).isEqualTo(400);
        }
        Received ok =
                ask(
                        bob,
                        "SUBSCRIBE sip:ann@10.0.0.1",
                        "<sip:ann@10.0.0.1>",
                        "short",
                        "",
                        "Event: presence;id=" + "x".repeat(200 - "presence;id=".length()),
                        "Expires: 0");
        assertThat(ok.response().status()).isEqualTo(200);
    }

    /** One who came by UDP has no server that accepts connections: they would be another's. */
    @Test
    void aDatagramThatNamesAnotherTransportIsRefused() {
        String host = bob.address().getHostString();
        for (String transport : new String[] {"tcp", "TLS", "sctp", "ws"}) {
            Received no =
                    ask(
                            bob,
                            "SUBSCRIBE sip:ann@10.0.0.1",
                            "<sip:ann@10.0.0.1>",
                            "by" + transport,
                            "",
                            "Event: presence",
                            "Contact: <sip:bob@" + host + ":5060;transport=" + transport + ">");
            assertThat(no.response().status()).as(transport).isEqualTo(403);
        }
        Received ok =
                ask(
                        bob,
                        "SUBSCRIBE sip:ann@10.0.0.1",
                        "<sip:ann@10.0.0.1>",
                        "byUdp",
                        "",
                        "Event: presence",
                        "Contact: <sip:bob@" + host + ":5060;transport=UDP>");
        assertThat(ok.response().status()).isEqualTo(200);
    }

    private int watch(ScriptedPeer who, String dialog) {
        return ask(
                        who,
                        "SUBSCRIBE sip:ann@10.0.0.1",
                        "<sip:ann@10.0.0.1>",
                        dialog,
                        "",
                        "Event: presence",
                        "Expires: 3600")
                .response()
                .status();
    }

    /** Many phones say 200 to any NOTIFY, so an answer proves nothing (RFC 6665 4.1.3). */
    @Test
    void ofAnAddressThatMayBeForgedFourAreTold() {
        for (int i = 0; i < 10; i++) {
            assertThat(watch(bob, "w" + i)).isEqualTo(i < 4 ? 200 : 503);
            if (i < 4) {
                notified(bob);
            }
        }
        publish(ann, document("a", "open"));
        server.advance(Duration.ofMillis(100));
        assertThat(bob.count("NOTIFY")).as("one more each").isEqualTo(4 + 4);
        assertThat(subscribe(ann, null, 600).response().status()).as("elsewhere").isEqualTo(200);
    }

    /** Behind a router each phone has a port of its own, and answers there. */
    @Test
    void phonesBehindOneAddressThatHaveAnsweredDoNotKeepOutEachOther() {
        for (int i = 0; i < 8; i++) {
            ScriptedPeer phone =
                    ScriptedPeer.bind(server.network(), "phone" + i, "10.0.7.7", 5070 + i);
            String at = "<sip:phone@10.0.7.7:" + (5070 + i) + ">";
            Received answer =
                    ask(
                            phone,
                            "SUBSCRIBE sip:ann@10.0.0.1",
                            "<sip:ann@10.0.0.1>",
                            "office" + i,
                            "",
                            "Event: presence",
                            "Contact: " + at);
            assertThat(answer.response().status()).isEqualTo(200);
            notified(phone);
            server.advance(Duration.ofMillis(100));
        }
    }

    /** The tag of ours in the dialog went to the address that it came from, and to no other. */
    @Test
    void whoRefreshesHasProvedThatHeAsked() {
        assertThat(subscribe(bob, null, 600).response().status()).isEqualTo(200);
        notified(bob);
        for (int i = 0; i < 3; i++) {
            assertThat(watch(bob, "w" + i)).isEqualTo(200);
            notified(bob);
        }
        assertThat(watch(bob, "more")).isEqualTo(503);
        assertThat(refresh(bob)).isEqualTo(200);
        notified(bob);
        assertThat(watch(bob, "more")).isEqualTo(200);
        notified(bob);
        assertThat(watch(bob, "fifth")).isEqualTo(503);
        subscribe(bob, first(bob), 0);
        notified(bob);
        assertThat(watch(bob, "fifth")).as("the other four are as before").isEqualTo(503);
    }

    @Test
    @SipTest(
            archives = "target/presence",
            contextParams = {"presence.max-watchers=8", "presence.max-unproved=9"})
    void watchersAreNotAllOneSources(SipTestServer small) {
        for (int i = 0; i < 6; i++) {
            assertThat(watch(bob, "w" + i)).isEqualTo(i < 4 ? 200 : 403);
        }
        assertThat(watch(ann, "a1")).isEqualTo(200); // a quarter of the four that are left
        assertThat(watch(ann, "a2")).isEqualTo(403);
    }
}
