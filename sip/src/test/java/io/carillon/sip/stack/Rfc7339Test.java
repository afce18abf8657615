package io.carillon.sip.stack;

import static io.carillon.sip.stack.StackHarness.ALICE;
import static io.carillon.sip.stack.StackHarness.BOB;
import static io.carillon.sip.stack.StackHarness.answer;
import static io.carillon.sip.stack.StackHarness.invite;
import static io.carillon.sip.stack.StackHarness.text;
import static io.carillon.sip.stack.StackHarness.udp;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.address.AddressRange;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.edge.EdgeConfig;
import io.carillon.sip.edge.InternalHosts;
import io.carillon.sip.edge.Peer;
import io.carillon.sip.edge.PeerTable;
import io.carillon.sip.feedback.Feedback;
import io.carillon.sip.feedback.OcMode;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.Via;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.overload.OverloadConfig;
import io.carillon.sip.overload.Waiting;
import io.carillon.sip.shard.LateRefusals;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.uri.Uri;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Overload control between neighbours, on the wire: RFC 7339 and RFC 7415, by their sections. */
class Rfc7339Test {
    private static final Hop CAROL = udp("192.0.2.3", 5060);
    private static final Hop STRANGER = udp("198.51.100.9", 5060);
    private static final String OFFER = ";oc;oc-algo=\"loss\"";

    private StackHarness h = harness(OcMode.LOSS);
    private int branches;

    private static StackHarness harness(OcMode mode) {
        return new StackHarness(config(mode));
    }

    private static StackConfig.Builder config(OcMode mode) {
        PeerTable peers =
                PeerTable.builder()
                        .add(
                                Peer.named("neighbours").overload(mode),
                                List.of(AddressRange.parse("192.0.2.0/28")),
                                List.of())
                        .build();
        return StackConfig.builder()
                .overload(OverloadConfig.DEFAULT)
                .edge(
                        new EdgeConfig(
                                peers,
                                List.of(new byte[32]),
                                new InternalHosts(List.of(), List.of()),
                                Compliance.DEFAULT));
    }

    // A client

    /** A new call that we send to bob; null when it did not leave. */
    private @Nullable SipRequest call() {
        return leaves(h.outgoing("INVITE", "bob.example.com"));
    }

    private @Nullable SipRequest leaves(OutgoingRequest out) {
        int before = h.sent.size();
        h.shard.send(out);
        h.drain();
        return h.sent.size() == before ? null : h.last().request();
    }

    private SipRequest sentCall() {
        return Objects.requireNonNull(call());
    }

    /** Bob answers, with these parameters in our Via. */
    private void bobSays(SipRequest request, int status, String oc) {
        String text = answer(request, status, "bob").toString();
        h.receive(
                text.replace("\r\n", "\n")
                        .replace(OFFER, oc)
                        .replace(";oc;oc-algo=\"rate,loss\"", oc),
                BOB);
    }

    /** Bob has said so, in the answer to a call. */
    private void bobAsks(String oc) {
        bobSays(sentCall(), 486, oc);
    }

    /** Of so many new calls as many leave. */
    private int leaving(int calls) {
        int left = 0;
        for (int i = 0; i < calls; i++) {
            SipRequest request = call();
            if (request != null) {
                left++;
                h.receive(answer(request, 486, "bob"), BOB);
            }
        }
        return left;
    }

    private OutgoingRequest inDialog(String method) {
        OutgoingRequest out = h.outgoing(method, "bob.example.com");
        out.draft().set(HeaderName.TO, "<sip:bob@example.com>;tag=bob");
        return out;
    }

    @Test
    void s4_1_a_client_adds_oc_without_a_value_to_every_request() {
        for (String method : List.of("INVITE", "REGISTER", "OPTIONS")) {
            SipRequest request = Objects.requireNonNull(leaves(h.outgoing(method, "x")));
            assertThat(request.header(HeaderName.VIA)).endsWith(OFFER);
        }
        SipRequest call = sentCall();
        bobSays(call, 180, OFFER);
        assertThat(Objects.requireNonNull(leaves(inDialog("BYE"))).header(HeaderName.VIA))
                .endsWith(OFFER);
        h.shard.sendAck(ackFor(call));
        h.drain();
        assertThat(h.last().request().header(HeaderName.VIA)).endsWith(OFFER);
    }

    private static MessageDraft ackFor(SipRequest invite) {
        MessageDraft ack = MessageDraft.request("ACK", invite.requestUri());
        ack.set(HeaderName.FROM, invite.from().toString());
        ack.set(HeaderName.TO, "<sip:bob@example.com>;tag=bob");
        ack.set(HeaderName.CALL_ID, invite.callId());
        return ack.set(HeaderName.CSEQ, "1 ACK").set(HeaderName.MAX_FORWARDS, "70");
    }

    @Test
    void s4_1_who_is_no_peer_is_offered_nothing() {
        h.targets.put("bob.example.com", List.of(STRANGER));
        assertThat(sentCall().header(HeaderName.VIA)).doesNotContain("oc");
        h = harness(OcMode.OFF);
        assertThat(sentCall().header(HeaderName.VIA)).doesNotContain("oc");
    }

    @Test
    void s4_2_a_client_offers_loss_and_may_prefer_another() {
        assertThat(sentCall().topVia().param("oc-algo")).isEqualTo("loss");
        h = harness(OcMode.RATE);
        assertThat(sentCall().header(HeaderName.VIA)).contains(";oc;oc-algo=\"rate,loss\"");
    }

    @Test
    void s4_3_and_4_4_a_client_puts_neither_validity_nor_sequence_into_a_request() {
        bobAsks(";oc=20;oc-algo=\"loss\";oc-validity=500;oc-seq=1.1");
        SipRequest request = Objects.requireNonNull(leaves(inDialog("BYE")));
        assertThat(request.topVia().hasParam("oc-validity")).isFalse();
        assertThat(request.topVia().hasParam("oc-seq")).isFalse();
    }

    @Test
    void s4_3_without_a_validity_it_is_500_ms() {
        bobAsks(";oc=100;oc-algo=\"loss\";oc-seq=1.1");
        h.runTo(h.millis() + 499);
        assertThat(leaving(20)).isZero();
        h.runTo(h.millis() + 1);
        assertThat(leaving(20)).isEqualTo(20);
    }

    @Test
    void s4_3_a_validity_without_oc_is_discarded() {
        bobAsks(";oc-algo=\"loss\";oc-validity=5000;oc-seq=1.1");
        assertThat(leaving(20)).isEqualTo(20);
        bobAsks(";oc;oc-algo=\"loss\";oc-validity=5000;oc-seq=1.1");
        assertThat(leaving(20)).isEqualTo(20);
    }

    @Test
    void s4_4_a_late_response_changes_nothing() {
        bobAsks(";oc=100;oc-algo=\"loss\";oc-validity=10000;oc-seq=1282321615.782");
        SipRequest open = Objects.requireNonNull(openBefore);
        bobSays(open, 486, ";oc=0;oc-algo=\"loss\";oc-validity=0;oc-seq=1282321615.781");
        assertThat(leaving(20)).isZero();
    }

    private @Nullable SipRequest openBefore = sentCall();

    @Test
    void s4_4_one_that_is_much_lower_begins_anew() {
        bobAsks(";oc=100;oc-algo=\"loss\";oc-validity=10000;oc-seq=1282321615.782");
        SipRequest open = Objects.requireNonNull(openBefore);
        bobSays(open, 486, ";oc=0;oc-algo=\"loss\";oc-validity=0;oc-seq=3.1");
        assertThat(leaving(20)).isEqualTo(20);
    }

    @Test
    void s5_4_the_same_sequence_does_not_prolong() {
        bobAsks(";oc=100;oc-algo=\"loss\";oc-validity=1000;oc-seq=7.1");
        h.runTo(h.millis() + 900);
        bobSays(
                Objects.requireNonNull(openBefore),
                486,
                ";oc=100;oc-algo=\"loss\";oc-validity=1000;oc-seq=7.1");
        h.runTo(h.millis() + 100);
        assertThat(leaving(20)).isEqualTo(20);
    }

    @Test
    void s5_4_a_higher_sequence_prolongs() {
        bobAsks(";oc=100;oc-algo=\"loss\";oc-validity=1000;oc-seq=7.1");
        h.runTo(h.millis() + 900);
        bobSays(
                Objects.requireNonNull(openBefore),
                486,
                ";oc=100;oc-algo=\"loss\";oc-validity=1000;oc-seq=7.2");
        h.runTo(h.millis() + 999);
        assertThat(leaving(20)).isZero();
    }

    @Test
    void s5_4_it_holds_for_that_address_and_port_alone() {
        bobAsks(";oc=100;oc-algo=\"loss\";oc-validity=10000;oc-seq=1.1");
        h.targets.put("bob.example.com", List.of(udp("192.0.2.2", 5080)));
        assertThat(call()).isNotNull();
    }

    @Test
    void s5_5_a_client_sends_no_more_than_is_allowed() {
        bobAsks(";oc=30;oc-algo=\"loss\";oc-validity=100000;oc-seq=1.1");
        // Of new calls alone the mix is not known in the first seconds: 80 of 100 are taken for
        // new.
        h.runTo(h.millis() + 5_000);
        leaving(100);
        h.runTo(h.millis() + 5_000);
        assertThat(leaving(1_000)).isBetween(640, 760);
        assertThat(h.count(Counter.UNSENT_PEER_OVERLOADED)).isPositive();
    }

    @Test
    void s5_10_what_is_not_sent_ends_in_503() {
        bobAsks(";oc=100;oc-algo=\"loss\";oc-validity=10000;oc-seq=1.1");
        h.told.clear();
        assertThat(call()).isNull();
        assertThat(h.told).first().isEqualTo("failed SHED");
        assertThat(io.carillon.sip.hop.Failure.SHED.status()).isEqualTo(503);
    }

    @Test
    void s5_10_it_goes_to_a_destination_that_is_not_in_overload() {
        bobAsks(";oc=100;oc-algo=\"loss\";oc-validity=10000;oc-seq=1.1");
        h.targets.put("bob.example.com", List.of(BOB, CAROL));
        assertThat(call()).isNotNull();
        assertThat(h.last().to()).isEqualTo(CAROL);
    }

    @Test
    void s5_10_1_dialogs_and_emergency_calls_are_kept() {
        bobAsks(";oc=60;oc-algo=\"loss\";oc-validity=100000;oc-seq=1.1");
        int kept = 0;
        for (int i = 0; i < 100; i++) {
            kept += leaves(inDialog("BYE")) == null ? 0 : 1;
            OutgoingRequest emergency = h.outgoing("INVITE", "bob.example.com");
            emergency.draft().setRequestUri(uri("urn:service:sos.police"));
            emergency.nextHop(uri("sip:bob.example.com"));
            kept += leaves(emergency) == null ? 0 : 1;
            OutgoingRequest priority = h.outgoing("INVITE", "bob.example.com");
            priority.draft().set(HeaderName.RESOURCE_PRIORITY, "ets.0");
            kept += leaves(priority) == null ? 0 : 1;
        }
        assertThat(kept).isEqualTo(300);
    }

    @Test
    void s5_10_1_the_priority_that_a_stranger_claims_is_not_believed() {
        bobAsks(";oc=80;oc-algo=\"loss\";oc-validity=100000;oc-seq=1.1");
        OutgoingRequest priority = h.outgoing("INVITE", "bob.example.com").countedAt(77);
        priority.draft().set(HeaderName.RESOURCE_PRIORITY, "ets.0");
        assertThat(leaves(priority)).isNull();
    }

    private static Uri uri(String text) {
        try {
            return Uri.parse(text);
        } catch (io.carillon.sip.bytes.SipParseException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void s5_7_a_client_is_told_to_stop() {
        bobAsks(";oc=100;oc-algo=\"loss\";oc-validity=10000;oc-seq=1.1");
        bobSays(
                Objects.requireNonNull(openBefore),
                486,
                ";oc=50;oc-algo=\"loss\";oc-validity=0;oc-seq=1.2");
        assertThat(leaving(20)).isEqualTo(20);
    }

    @Test
    void s5_8_the_client_changes_its_algorithm_with_the_server() {
        h = harness(OcMode.RATE);
        openBefore = sentCall();
        bobAsks(";oc=100;oc-algo=\"loss\";oc-validity=10000;oc-seq=1.1");
        assertThat(leaving(20)).isZero();
        bobSays(
                Objects.requireNonNull(openBefore),
                486,
                ";oc=10;oc-algo=\"rate\";oc-validity=10000;oc-seq=1.2");
        assertThat(leaving(20)).isBetween(4, 8);
    }

    @Test
    void s5_9_a_server_that_stays_silent_gets_a_probe_now_and_then() {
        bobAsks(";oc=0;oc-algo=\"loss\";oc-validity=0;oc-seq=1.1");
        for (int i = 0; i < 3; i++) {
            assertThat(call()).isNotNull();
        }
        h.runTo(h.millis() + 33_000);
        int probes = 0;
        for (int i = 0; i < 60; i++) {
            probes += call() == null ? 0 : 1;
            h.runTo(h.millis() + 1_000);
        }
        // After 1, 2, 4, 8, 16, 32 seconds.
        assertThat(probes).isBetween(4, 6);
    }

    @Test
    void s5_9_after_a_response_all_is_sent_again() {
        bobAsks(";oc=0;oc-algo=\"loss\";oc-validity=0;oc-seq=1.1");
        for (int i = 0; i < 3; i++) {
            call();
        }
        h.runTo(h.millis() + 33_000);
        SipRequest probe = null;
        while (probe == null) {
            probe = call();
            h.runTo(h.millis() + 100);
        }
        assertThat(call()).isNull();
        h.receive(answer(probe, 486, "bob"), BOB);
        assertThat(leaving(20)).isEqualTo(20);
    }

    @Test
    void s5_9_a_server_that_takes_no_part_is_tried_as_ever() {
        for (int i = 0; i < 5; i++) {
            call();
        }
        h.runTo(h.millis() + 33_000);
        assertThat(call()).isNotNull();
    }

    @Test
    void s7_1_a_percentage_above_100_means_nothing() {
        bobAsks(";oc=101;oc-algo=\"loss\";oc-validity=10000;oc-seq=1.1");
        assertThat(leaving(20)).isEqualTo(20);
    }

    @Test
    void s7_2_above_the_part_of_new_calls_others_are_reduced_too() {
        bobAsks(";oc=90;oc-algo=\"loss\";oc-validity=100000;oc-seq=1.1");
        int kept = 0;
        for (int i = 0; i < 200; i++) {
            kept += leaves(inDialog("MESSAGE")) == null ? 0 : 1;
        }
        // 80 of 100 are new and go first; of the other 20 the half.
        assertThat(kept).isBetween(70, 130);
        assertThat(leaving(50)).isZero();
    }

    @Test
    void s11_a_response_that_answers_nothing_of_ours_is_not_believed() {
        SipRequest open = sentCall();
        String text = answer(open, 486, "bob").toString().replace("\r\n", "\n");
        String branch = Objects.requireNonNull(open.topVia().branch());
        h.receive(
                text.replace(branch, "z9hG4bKforged")
                        .replace(OFFER, ";oc=100;oc-algo=\"loss\";oc-validity=99999;oc-seq=9.1"),
                BOB);
        assertThat(leaving(20)).isEqualTo(20);
    }

    @Test
    void s11_who_is_no_peer_is_not_obeyed() {
        h.targets.put("bob.example.com", List.of(STRANGER));
        SipRequest open = sentCall();
        String text = answer(open, 486, "bob").toString().replace("\r\n", "\n");
        h.receive(
                text.replaceFirst(
                        ";rport", ";rport;oc=100;oc-algo=\"loss\";oc-validity=99999;oc-seq=9.1"),
                STRANGER);
        assertThat(leaving(20)).isEqualTo(20);
    }

    // RFC 7415, a client

    @Test
    void rfc7415_3_5_1_no_more_than_the_rate_is_sent() {
        h = harness(OcMode.RATE);
        bobAsks(";oc=50;oc-algo=\"rate\";oc-validity=100000;oc-seq=1.1");
        int left = 0;
        for (int i = 0; i < 1_000; i++) {
            SipRequest request = call();
            if (request != null) {
                left++;
                h.receive(answer(request, 486, "bob"), BOB);
            }
            h.runTo(h.millis() + 10);
        }
        // Ten seconds, and at the beginning what the bucket holds.
        assertThat(left).isBetween(490, 510);
    }

    @Test
    void rfc7415_3_5_1_a_rate_of_0_rejects_all() {
        h = harness(OcMode.RATE);
        bobAsks(";oc=0;oc-algo=\"rate\";oc-validity=10000;oc-seq=1.1");
        assertThat(leaving(20)).isZero();
        assertThat(leaves(inDialog("BYE"))).isNull();
    }

    @Test
    void rfc7415_3_5_1_a_validity_of_0_stops_it_whatever_the_rate() {
        h = harness(OcMode.RATE);
        bobAsks(";oc=0;oc-algo=\"rate\";oc-validity=0;oc-seq=1.1");
        assertThat(leaving(20)).isEqualTo(20);
    }

    @Test
    void rfc7415_3_5_2_between_the_limits_only_what_has_priority_is_sent() {
        h = harness(OcMode.RATE);
        bobAsks(";oc=10;oc-algo=\"rate\";oc-validity=100000;oc-seq=1.1");
        assertThat(leaving(20)).isBetween(4, 8);
        assertThat(leaves(inDialog("BYE"))).isNotNull();
        int more = 0;
        for (int i = 0; i < 20; i++) {
            more += leaves(inDialog("BYE")) == null ? 0 : 1;
        }
        assertThat(more).isBetween(2, 6);
    }

    @Test
    void rfc7415_3_3_support_is_said_by_the_token_rate() {
        h = harness(OcMode.RATE);
        assertThat(sentCall().topVia().param("oc-algo")).contains("rate").contains("loss");
    }

    // A server

    /** A call of alice comes, with these parameters in her Via; what she is told. */
    private Via aliceIsTold(String offer, Hop from) {
        h.receive(offering(offer), from);
        int last = h.transactions.size() - 1;
        h.transactions.get(last).respond(h.response(h.transactions.get(last), 486));
        h.drain();
        return h.last().response().topVia();
    }

    private String offering(String offer) {
        String branch = "z9hG4bK" + branches++;
        return invite(branch)
                .replace("call-1", "call-" + branch)
                .replace(";branch=" + branch, ";branch=" + branch + offer);
    }

    private Feedback feedback() {
        return Objects.requireNonNull(h.shard.core().feedback());
    }

    /** So many calls of alice in each of some seconds, of which a part is refused. */
    private void overload(int seconds, int refusedOfTen) {
        for (int i = 0; i < seconds * 50; i++) {
            if (i % 10 < refusedOfTen) {
                feedback().refused(ALICE, h.nanoTime());
            } else {
                aliceIsTold(OFFER, ALICE);
            }
            h.runTo(h.millis() + 20);
        }
    }

    @Test
    void s4_1_a_server_adds_a_value_to_the_oc_of_a_client() {
        Via told = aliceIsTold(OFFER, ALICE);
        assertThat(told.param("oc")).isEqualTo("0");
        assertThat(told.toString()).contains(";oc=0;oc-algo=\"loss\";oc-validity=0;oc-seq=");
    }

    @Test
    void s4_1_a_client_that_offers_nothing_is_told_nothing() {
        assertThat(aliceIsTold("", ALICE).toString()).doesNotContain("oc");
    }

    @Test
    void s5_2_a_client_that_is_no_peer_is_told_nothing() {
        assertThat(aliceIsTold(OFFER, STRANGER).param("oc")).isEmpty();
        h = harness(OcMode.OFF);
        assertThat(aliceIsTold(OFFER, ALICE).param("oc")).isEmpty();
    }

    @Test
    void s4_2_and_5_1_a_server_chooses_one_algorithm_of_the_list() {
        assertThat(aliceIsTold(";oc;oc-algo=\"rate,loss\"", ALICE).param("oc-algo"))
                .isEqualTo("loss");
        h = harness(OcMode.RATE);
        assertThat(aliceIsTold(";oc;oc-algo=\"loss,A,rate\"", ALICE).param("oc-algo"))
                .isEqualTo("rate");
        assertThat(aliceIsTold(OFFER, ALICE).param("oc-algo")).isEqualTo("loss");
        assertThat(aliceIsTold(";oc", ALICE).param("oc-algo")).isEqualTo("loss");
    }

    @Test
    void s4_2_a_server_that_has_none_of_them_says_nothing() {
        assertThat(aliceIsTold(";oc;oc-algo=\"A\"", ALICE).param("oc")).isEmpty();
    }

    @Test
    void s5_1_without_overload_the_value_is_0() {
        for (int i = 0; i < 50; i++) {
            Via told = aliceIsTold(OFFER, ALICE);
            assertThat(told.param("oc")).isEqualTo("0");
            assertThat(told.param("oc-validity")).isEqualTo("0");
            h.runTo(h.millis() + 50);
        }
    }

    @Test
    void s4_4_values_have_a_sequence_that_grows_and_bears_the_syntax_of_section_9() {
        List<Double> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            feedback().refused(ALICE, h.nanoTime());
            Via told = aliceIsTold(OFFER, ALICE);
            String seq = Objects.requireNonNull(told.param("oc-seq"));
            assertThat(seq).matches("[0-9]{1,12}\\.[0-9]{1,5}");
            all.add(Double.valueOf(seq));
            h.runTo(h.millis() + 100);
        }
        assertThat(all).isSorted();
        assertThat(all.stream().distinct().count()).isGreaterThan(40);
    }

    @Test
    void s5_2_a_repeated_response_tells_what_is_known_then() {
        h.receive(offering(OFFER), ALICE);
        h.transactions.getLast().respondAsUas(h.response(h.transactions.getLast(), 200));
        h.drain();
        assertThat(h.last().response().topVia().param("oc")).isEqualTo("0");
        for (int i = 0; i < 20; i++) {
            feedback().refused(ALICE, h.nanoTime());
        }
        int before = h.sent.size();
        h.runTo(h.millis() + 600);
        assertThat(h.sent.size()).isGreaterThan(before);
        assertThat(h.last().response().topVia().param("oc")).isNotEqualTo("0");
    }

    @Test
    void s5_11_what_a_100_tells_the_next_response_tells_again() {
        h.receive(offering(OFFER), ALICE);
        h.runTo(h.millis() + 250);
        SipResponse trying = h.last().response();
        assertThat(trying.status()).isEqualTo(100);
        assertThat(trying.topVia().param("oc")).isEqualTo("0");
        h.transactions.getLast().respond(h.response(h.transactions.getLast(), 180));
        h.drain();
        assertThat(h.last().response().topVia().param("oc")).isEqualTo("0");
    }

    @Test
    void s5_2_the_stacks_own_answers_tell_it_too() {
        h.receive(text("CANCEL", "z9hG4bKx" + OFFER, "").replace("call-1", "call-x"), ALICE);
        assertThat(h.last().name()).isEqualTo("481 CANCEL");
        assertThat(h.last().response().topVia().param("oc")).isEqualTo("0");
    }

    /** So much that it is answered before it is parsed. */
    private Via refusedBeforeTheParse(String offer, Hop from) {
        int refused = 0;
        for (int i = 0; i < 2_000 && refused < 200; i++) {
            h.shard.overload().delay().waited(Waiting.HANDLER, TimeUnit.MILLISECONDS.toNanos(100));
            h.runTo(h.millis() + 10);
            int served = h.transactions.size();
            for (int j = 0; j < 5; j++) {
                h.receive(offering(offer), from);
            }
            refused += served + 5 - h.transactions.size();
        }
        assertThat(h.last().response().status()).isEqualTo(503);
        return h.last().response().topVia();
    }

    @Test
    void s5_2_a_refusal_before_the_parse_tells_it_too() {
        Via told = refusedBeforeTheParse(";rport;oc;oc-algo=\"loss,A\";oc-seq=7.7;x=y", ALICE);
        String params = told.toString();
        assertThat(params)
                .matches(
                        ".*;branch=[^;]*;x=y;received=192.0.2.1;rport=5060;oc=[0-9]+;oc-algo=\"loss\""
                                + ";oc-validity=1000;oc-seq=[0-9.]+");
        assertThat(Integer.parseInt(Objects.requireNonNull(told.param("oc")))).isBetween(1, 100);
        assertThat(h.last().response().has(HeaderName.RETRY_AFTER)).isFalse();
    }

    @Test
    void s5_10_2_a_client_that_takes_no_part_is_refused_without_retry_after() {
        Via told = refusedBeforeTheParse("", CAROL);
        assertThat(told.hasOverloadControl()).isFalse();
        Via strangers = refusedBeforeTheParse(OFFER, STRANGER);
        assertThat(strangers.param("oc")).isEmpty();
    }

    @Test
    void s5_3_and_7_1_the_loss_asked_for_is_that_of_what_is_refused() {
        overload(10, 4);
        Via told = aliceIsTold(OFFER, ALICE);
        int loss = Integer.parseInt(Objects.requireNonNull(told.param("oc")));
        assertThat(loss).isBetween(1, 100);
        assertThat(told.param("oc-validity")).isEqualTo("1000");
    }

    /** A table that is full is overload too, whatever refuses. */
    @Test
    void s5_1_what_limits_refuse_is_told_too() {
        h = new StackHarness(config(OcMode.LOSS).maxTransactions(100));
        for (int i = 0; i < 250; i++) {
            h.receive(offering(OFFER), ALICE);
            h.drain();
            h.runTo(h.millis() + 20);
        }
        assertThat(h.count(Counter.REFUSED_FULL)).isPositive();
        assertThat(h.last().response().status()).isEqualTo(503);
        assertThat(loss(h.last().response().topVia())).isGreaterThan(80);
        h.receive(offering(OFFER), CAROL);
        assertThat(loss(h.last().response().topVia())).as("of another client").isZero();
    }

    /** Which came, was taken, and found no room above the stack: of 100 in a second it does 40. */
    @Test
    void s5_1_what_is_refused_above_the_stack_is_told_too() {
        long[] freeAt = new long[1];
        h.onRequest =
                (tx, request) -> {
                    boolean refused = freeAt[0] > h.millis();
                    if (refused) {
                        LateRefusals.refused(h.shard, tx.source());
                    } else {
                        freeAt[0] = h.millis() + 25;
                    }
                    tx.respond(h.response(tx, refused ? 503 : 486));
                };
        double owed = 0;
        int loss = 0;
        int sum = 0;
        for (int i = 0; i < 4_000; i++) {
            owed += 1 - loss / 100.0; // a client that does as it is told
            if (owed >= 1) {
                owed--;
                h.receive(offering(OFFER), ALICE);
                h.drain();
                loss = loss(h.last().response().topVia());
            }
            sum += i < 2_000 ? 0 : loss;
            h.runTo(h.millis() + 10);
        }
        assertThat(sum / 2_000).as("of 100 calls, in the mean").isBetween(35, 65);
    }

    private static int loss(Via told) {
        return Integer.parseInt(Objects.requireNonNull(told.param("oc")));
    }

    @Test
    void s5_7_when_it_is_over_the_client_is_told_so_with_a_higher_sequence() {
        overload(3, 4);
        double before =
                Double.parseDouble(
                        Objects.requireNonNull(aliceIsTold(OFFER, ALICE).param("oc-seq")));
        overload(12, 0);
        Via told = aliceIsTold(OFFER, ALICE);
        assertThat(told.param("oc")).isEqualTo("0");
        assertThat(told.param("oc-validity")).isEqualTo("0");
        assertThat(Double.parseDouble(Objects.requireNonNull(told.param("oc-seq"))))
                .isGreaterThan(before);
    }

    @Test
    void s5_10_2_who_takes_no_part_gains_nothing_by_it() {
        // What others send does not make a client be asked for less: only what was refused to it.
        for (int i = 0; i < 100; i++) {
            feedback().refused(CAROL, h.nanoTime());
            assertThat(aliceIsTold(OFFER, ALICE).param("oc")).isEqualTo("0");
            h.runTo(h.millis() + 50);
        }
    }

    @Test
    void rfc7415_3_4_a_server_tells_each_client_its_rate() {
        h = harness(OcMode.RATE);
        String offer = ";oc;oc-algo=\"rate,loss\"";
        for (int i = 0; i < 250; i++) {
            if (i % 2 == 0) {
                feedback().refused(ALICE, h.nanoTime());
            }
            aliceIsTold(offer, ALICE);
            aliceIsTold(offer, CAROL);
            h.runTo(h.millis() + 20);
        }
        Via alice = aliceIsTold(offer, ALICE);
        assertThat(alice.param("oc-algo")).isEqualTo("rate");
        assertThat(alice.param("oc-validity")).isEqualTo("1000");
        assertThat(Integer.parseInt(Objects.requireNonNull(alice.param("oc")))).isPositive();
        assertThat(aliceIsTold(offer, CAROL).param("oc-validity")).isEqualTo("0");
    }

    @Test
    void nothing_of_it_where_nobody_is_a_peer() {
        StackHarness plain = new StackHarness();
        assertThat(plain.shard.core().feedback()).isNull();
    }
}
