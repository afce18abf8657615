package io.carillon.webtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.delete;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import com.jayway.jsonpath.JsonPath;
import io.carillon.boot.test.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Call;
import io.carillon.testkit.UserAgent;
import io.carillon.web.EventStreams;
import io.carillon.web.WebCalls;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

/** The REST API with simulated phones: calls, their ends and failures, refusals. */
@SipTest(
        properties = {
            "carillon.web.accounts.alice.password={noop}secret",
            "carillon.web.accounts.alice.phone=sip:alice@10.0.1.1",
            "carillon.web.accounts.bob.password={bcrypt}$2a$10$Lv5m4Q4oK5MKzEwbDwqh2uZaGNSZV0g2.2tqgrd3rGkfs2i.2bqxG",
            "carillon.web.accounts.bob.phone=sip:bob@10.0.1.2",
            "carillon.web.destinations.voicemail=sip:voicemail@10.0.1.2",
            "carillon.web.allowed=10.0.1.2",
            "carillon.web.calls-per-user=1"
        })
@DirtiesContext(classMode = DirtiesContext.ClassMode.AFTER_EACH_TEST_METHOD)
class CallApiTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Autowired SipTestServer server;
    @Autowired WebApplicationContext context;
    @Autowired WebCalls calls;
    @Autowired EventStreams streams;

    private MockMvc api;
    private String token = "";
    private UserAgent phone;
    private UserAgent other;

    @BeforeEach
    void signInAsAlice() throws Exception {
        api = MockMvcBuilders.webAppContextSetup(context).build();
        token = JsonPath.read(signIn("alice", "secret").getContentAsString(), "$.token");
        phone = server.phone("alice");
        other = server.phone("voicemail");
    }

    private MockHttpServletResponse signIn(String user, String password) throws Exception {
        return api.perform(
                        post("/api/sign-ins")
                                .contentType("application/json")
                                .content(
                                        "{\"user\":\""
                                                + user
                                                + "\",\"password\":\""
                                                + password
                                                + "\"}"))
                .andReturn()
                .getResponse();
    }

    private MockHttpServletResponse ask(MockHttpServletRequestBuilder request) throws Exception {
        return api.perform(request.header("Authorization", "Bearer " + token))
                .andReturn()
                .getResponse();
    }

    private MockHttpServletResponse call(String to) throws Exception {
        return ask(
                post("/api/calls")
                        .contentType("application/json")
                        .content("{\"to\":\"" + to + "\"}"));
    }

    private String begin() throws Exception {
        MockHttpServletResponse answer = call("voicemail");
        assertThat(answer.getStatus()).isEqualTo(201);
        server.advance(SECOND);
        return JsonPath.read(answer.getContentAsString(), "$.id");
    }

    private String shown(String id, String what) throws Exception {
        return JsonPath.read(ask(get("/api/calls/" + id)).getContentAsString(), "$." + what);
    }

    @Test
    void bothPhonesAreConnectedAndThePageHangsUp() throws Exception {
        phone.onCall(Call::answer);
        other.onCall(Call::answer);
        String id = begin();
        assertThat(shown(id, "state")).isEqualTo("connected");
        assertThat(phone.lastCall().state()).isEqualTo(Call.State.ESTABLISHED);
        assertThat(other.lastCall().state()).isEqualTo(Call.State.ESTABLISHED);
        assertThat(ask(delete("/api/calls/" + id)).getStatus()).isEqualTo(204);
        server.advance(SECOND);
        assertThat(phone.lastCall().state()).isEqualTo(Call.State.ENDED);
        assertThat(other.lastCall().state()).isEqualTo(Call.State.ENDED);
        assertThat(shown(id, "reason")).isEqualTo("hung-up-by-page");
        assertThat(ask(delete("/api/calls/" + id)).getStatus()).isEqualTo(409);
        server.assertNothingLeft();
        assertThat(calls.open()).isZero();
    }

    @Test
    void signingOutEndsTheEventStreamsOfThatSignInAlone() throws Exception {
        ask(get("/api/events"));
        String here = token;
        token = JsonPath.read(signIn("alice", "secret").getContentAsString(), "$.token");
        ask(get("/api/events"));
        assertThat(streams.open()).isEqualTo(2);
        token = here;
        assertThat(ask(delete("/api/sign-ins")).getStatus()).isEqualTo(204);
        assertThat(streams.open()).isEqualTo(1);
        assertThat(ask(get("/api/events")).getStatus()).isEqualTo(401);
    }

    @Test
    void thePhoneHangsUp() throws Exception {
        phone.onCall(Call::answer);
        other.onCall(Call::answer);
        String id = begin();
        phone.lastCall().bye();
        server.advance(SECOND);
        assertThat(other.lastCall().state()).isEqualTo(Call.State.ENDED);
        assertThat(shown(id, "reason")).isEqualTo("hung-up-by-phone");
        server.assertNothingLeft();
    }

    @Test
    void byesThatCrossEndTheCallOnce() throws Exception {
        phone.onCall(Call::answer);
        other.onCall(Call::answer);
        String id = begin();
        phone.lastCall().bye();
        ask(delete("/api/calls/" + id));
        other.lastCall().bye();
        server.advance(SECOND);
        assertThat(shown(id, "state")).isEqualTo("ended");
        server.assertNothingLeft();
        assertThat(calls.open()).isZero();
    }

    @Test
    void eachFailureHasItsReason() throws Exception {
        failure(call -> call.reject(486), Call::answer, "phone-busy");
        failure(Call::ring, Call::answer, "phone-no-answer");
        failure(call -> call.reject(603), Call::answer, "phone-refused");
        failure(Call::answer, call -> call.reject(486), "other-busy");
        failure(Call::answer, Call::ring, "other-no-answer");
        failure(Call::answer, call -> call.reject(503), "other-unreachable");
        server.assertNothingLeft();
        assertThat(calls.open()).isZero();
    }

    private void failure(
            java.util.function.Consumer<Call> phoneDoes,
            java.util.function.Consumer<Call> otherDoes,
            String reason)
            throws Exception {
        phone.onCall(phoneDoes);
        other.onCall(otherDoes);
        String id = begin();
        server.advance(Duration.ofSeconds(40));
        assertThat(shown(id, "state")).as(reason).isEqualTo("ended");
        assertThat(shown(id, "reason")).isEqualTo(reason);
        assertThat(shown(id, "text")).isNotEmpty();
        assertThat(phone.lastCall().state()).as(reason).isEqualTo(Call.State.ENDED);
    }

    @Test
    void thePageHangsUpWhileItRings() throws Exception {
        for (boolean answered : new boolean[] {false, true}) {
            phone.onCall(answered ? Call::answer : Call::ring);
            other.onCall(Call::ring);
            String id = begin();
            ask(delete("/api/calls/" + id));
            server.advance(SECOND);
            assertThat(phone.lastCall().state()).isEqualTo(Call.State.ENDED);
            assertThat(shown(id, "reason")).isEqualTo("hung-up-by-page");
        }
        assertThat(other.lastCall().state()).isEqualTo(Call.State.ENDED);
        server.assertNothingLeft();
    }

    @Test
    void aDoubleClickIsOneCall() throws Exception {
        AtomicInteger rang = new AtomicInteger();
        phone.onCall(call -> {
            rang.incrementAndGet();
            call.ring();
        });
        String first = wish("one");
        assertThat(wish("one")).isEqualTo(first);
        server.advance(SECOND);
        assertThat(rang.get()).isEqualTo(1);
        MockHttpServletResponse more = call("voicemail");
        assertThat(more.getStatus()).isEqualTo(409);
        problem(more, "too-many-calls");
        ask(delete("/api/calls/" + first));
        server.assertNothingLeft();
    }

    private String wish(String key) throws Exception {
        return JsonPath.read(
                ask(post("/api/calls")
                                .contentType("application/json")
                                .header("Idempotency-Key", key)
                                .content("{\"to\":\"voicemail\"}"))
                        .getContentAsString(),
                "$.id");
    }

    private static void problem(MockHttpServletResponse answer, String type) throws Exception {
        assertThat(answer.getContentType()).startsWith("application/problem+json");
        String body = answer.getContentAsString();
        assertThat(JsonPath.<String>read(body, "$.type")).isEqualTo("urn:carillon:problem:" + type);
        assertThat(JsonPath.<String>read(body, "$.detail")).endsWith(".");
        assertThat(JsonPath.<Integer>read(body, "$.status")).isEqualTo(answer.getStatus());
    }

    @Test
    void badRequestsGetProblems() throws Exception {
        expect(call("nonsense"), 400, "bad-number");
        expect(call("tel:+49123"), 400, "bad-number");
        expect(call("sip:bob@elsewhere.example"), 403, "not-allowed");
        expect(ask(get("/api/calls/nothing")), 404, "no-such-call");
        expect(signIn("alice", "wrong"), 401, "wrong-password");
        expect(signIn("nobody", "secret"), 401, "wrong-password");
        token = "forged";
        expect(call("voicemail"), 401, "not-signed-in");
    }

    /**
     * RFC 3261 section 20: what a URI holds of ',', '?' and ';' reads otherwise without brackets.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sip:10.0.1.9:5060;x=@10.0.1.2",
                "sip:10.0.1.9;x=@10.0.1.2",
                "sip:10.0.1.9,x@10.0.1.2",
                "sip:10.0.1.9?x=@10.0.1.2",
                "sip:bob:secret@10.0.1.2",
                "sip:bob@10.0.1.2;maddr=10.0.1.9",
                "sip:bob@10.0.1.2;MADDR=10.0.1.9",
                "sip:bob@10.0.1.2;method=BYE",
                "sip:bob@10.0.1.2;ttl=1",
                "sip:bob@10.0.1.2;lr",
                "sip:bob@10.0.1.2;x=y",
                "sip:bob@10.0.1.2?Replaces=1",
                "sip:bob@10.0.1.2,sip:bob@10.0.1.9",
                "<sip:10.0.1.9>;x=@10.0.1.2",
                "\\\"x\\\" <sip:bob@10.0.1.2>",
                "sip:bob@10.0.1.2;transport=carrier-pigeon",
                "sip:bob@10.0.1.2\\r\\nX: y",
                "sip:bob@"
            })
    void whatCouldBeReadInTwoWaysIsNotCalled(String to) throws Exception {
        phone.onCall(Call::answer);
        expect(call(to), 400, "bad-number");
        server.advance(SECOND);
        assertThat(phone.calls()).isEmpty();
    }

    @Test
    void theUriThatWasCheckedIsTheOneThatIsCalled() throws Exception {
        phone.onCall(Call::answer);
        other.onCall(Call::answer);
        assertThat(call("sip:b%6Fb@10.0.1.2:5060;transport=udp").getStatus()).isEqualTo(201);
        server.advance(SECOND);
        assertThat(other.lastCall().invite().requestUri().toString())
                .startsWith("sip:")
                .contains("@10.0.1.2:5060;transport=udp");
    }

    private static void expect(MockHttpServletResponse answer, int status, String type)
            throws Exception {
        assertThat(answer.getStatus()).isEqualTo(status);
        problem(answer, type);
    }

    /** Behind a source of its own, so that no test waits for another. */
    private MockHttpServletResponse signInFrom(String source, String user, String password)
            throws Exception {
        return api.perform(
                        post("/api/sign-ins")
                                .contentType("application/json")
                                .with(request -> {
                                    request.setRemoteAddr(source);
                                    return request;
                                })
                                .content(
                                        "{\"user\":\""
                                                + user
                                                + "\",\"password\":\""
                                                + password
                                                + "\"}"))
                .andReturn()
                .getResponse();
    }

    @Test
    void guessingIsSlow() throws Exception {
        for (int i = 0; i < 11; i++) {
            expect(signInFrom("10.0.9.1", "bob", "guess" + i), 401, "wrong-password");
        }
        MockHttpServletResponse refused = signInFrom("10.0.9.1", "bob", "secret");
        expect(refused, 429, "too-many-tries");
        assertThat(refused.getHeader("Retry-After")).isNotNull();
    }

    @Test
    void whoGuessesElsewhereDoesNotKeepAUserOut() throws Exception {
        assertThat(signInFrom("10.0.9.2", "bob", "secret").getStatus()).isEqualTo(201);
        for (int i = 0; i < 30; i++) {
            signInFrom("10.0.9." + (100 + i), "bob", "guess" + i);
        }
        assertThat(signInFrom("10.0.9.2", "bob", "secret").getStatus()).isEqualTo(201);
    }

    /** Of names with one hash code too. */
    @Test
    void noAnswerTellsWhichNamesAreUsers() throws Exception {
        for (int i = 0; i < 6; i++) {
            signInFrom("10.0.9." + (10 + i), "Aa", "guess");
        }
        assertThat(signInFrom("10.0.9.3", "BB", "guess").getStatus())
                .isEqualTo(signInFrom("10.0.9.4", "bob", "guess").getStatus())
                .isEqualTo(401);
    }

    @Test
    void aCallLongerThanTheApplicationsTimeOutGoesOn() throws Exception {
        phone.onCall(Call::answer);
        other.onCall(Call::answer);
        String id = begin();
        server.advance(Duration.ofMinutes(10));
        assertThat(shown(id, "state")).isEqualTo("connected");
        server.session("application").invalidate();
        assertThat(shown(id, "reason"))
                .as("a session that goes takes its call along")
                .isEqualTo("fault");
        assertThat(calls.open()).isZero();
    }

    @Test
    void aCallThatCannotBeginLeavesNothingBehind() {
        for (int i = 0; i < 3; i++) {
            org.assertj.core.api.Assertions.assertThatThrownBy(
                            () -> calls.place("alice", "no uri", "sip:x@10.0.1.2", null))
                    .isInstanceOf(javax.servlet.sip.ServletParseException.class);
        }
        assertThat(calls.open()).isZero();
    }

    @Test
    void aPageOfAnotherOriginPlacesNoCall() throws Exception {
        MockHttpServletResponse answer =
                ask(
                        post("/api/calls")
                                .contentType("application/json")
                                .header("Host", "here.example")
                                .header("Origin", "https://evil.example")
                                .content("{\"to\":\"voicemail\"}"));
        expect(answer, 403, "other-origin");
        assertThat(
                        ask(post("/api/calls")
                                        .contentType("text/plain")
                                        .content("{\"to\":\"voicemail\"}"))
                                .getStatus())
                .isEqualTo(415);
        server.advance(SECOND);
        assertThat(phone.calls()).isEmpty();
    }

    @Test
    void aCallToAUserIsShownAndCanBeDeclined() throws Exception {
        phone.onCall(Call::ring);
        Call incoming = server.phone("carol").call("sip:alice@10.0.0.1");
        server.advance(SECOND);
        String body = ask(get("/api/call-notifications")).getContentAsString();
        assertThat(JsonPath.<String>read(body, "$[0].state")).isEqualTo("ringing");
        assertThat(JsonPath.<String>read(body, "$[0].from")).contains("carol");
        String id = JsonPath.read(body, "$[0].id");
        assertThat(ask(delete("/api/call-notifications/" + id)).getStatus()).isEqualTo(204);
        server.advance(SECOND);
        assertThat(incoming.finalStatus()).isEqualTo(603);
        assertThat(phone.lastCall().state()).isEqualTo(Call.State.ENDED);
        assertThat(ask(get("/api/call-notifications")).getContentAsString()).isEqualTo("[]");
        server.assertNothingLeft();
    }

    /** Anybody may call; a user's list and his pages' events are his, not theirs. */
    @Test
    void strangersHaveFewCallsOfAUserAndShortNames() throws Exception {
        phone.onCall(Call::ring);
        UserAgent stranger = server.phone("c".repeat(200));
        Call last = null;
        for (int i = 0; i < 6; i++) {
            last = stranger.call("sip:alice@10.0.0.1");
            server.advance(SECOND);
        }
        assertThat(last.finalStatus()).isEqualTo(486);
        Call other = server.phone("carol").call("sip:alice@10.0.0.1");
        server.advance(SECOND);
        assertThat(other.state()).isEqualTo(Call.State.EARLY);
        String body = ask(get("/api/call-notifications")).getContentAsString();
        assertThat(JsonPath.<Integer>read(body, "$.length()")).isEqualTo(6);
        assertThat(JsonPath.<String>read(body, "$[0].from").length()).isLessThanOrEqualTo(80);
    }
}
