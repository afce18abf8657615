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
import io.carillon.web.WebCalls;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.Callable;
import javax.servlet.sip.SipFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

/**
 * A page's request that comes in the middle of a handler of the same call: while the handler makes
 * its next INVITE, the page hangs up or asks.
 */
@SipTest(
        properties = {
            "carillon.web.accounts.alice.password={noop}secret",
            "carillon.web.accounts.alice.phone=sip:alice@10.0.1.1",
            "carillon.web.destinations.voicemail=sip:voicemail@10.0.1.2"
        })
@DirtiesContext(classMode = DirtiesContext.ClassMode.AFTER_EACH_TEST_METHOD)
class HangUpRaceTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** What a page does while the next INVITE is made; used up by it. */
    static final class Meanwhile {
        private Callable<?> page = () -> "nothing";

        void page(Callable<?> does) {
            page = does;
        }

        void happen() throws Exception {
            Callable<?> now = page;
            page = () -> "nothing";
            now.call();
        }
    }

    /** A factory that lets a page in where a handler makes an INVITE. */
    @TestConfiguration(proxyBeanMethods = false)
    static class Interleaved {
        @Bean
        static Meanwhile meanwhile() {
            return new Meanwhile();
        }

        @Bean
        @Primary
        static SipFactory interleaved(
                @Qualifier("sipFactory") SipFactory real, Meanwhile meanwhile) {
            return (SipFactory)
                    Proxy.newProxyInstance(
                            SipFactory.class.getClassLoader(),
                            new Class<?>[] {SipFactory.class},
                            (proxy, method, arguments) -> {
                                if (method.getName().equals("createRequest")) {
                                    meanwhile.happen();
                                }
                                try {
                                    return method.invoke(real, arguments);
                                } catch (InvocationTargetException e) {
                                    throw e.getCause();
                                }
                            });
        }
    }

    @Autowired SipTestServer server;
    @Autowired WebApplicationContext context;
    @Autowired WebCalls calls;
    @Autowired Meanwhile meanwhile;

    private MockMvc api;
    private String token = "";
    private UserAgent phone;
    private UserAgent other;

    @BeforeEach
    void signIn() throws Exception {
        api = MockMvcBuilders.webAppContextSetup(context).build();
        String signedIn =
                api.perform(
                                post("/api/sign-ins")
                                        .contentType("application/json")
                                        .content("{\"user\":\"alice\",\"password\":\"secret\"}"))
                        .andReturn()
                        .getResponse()
                        .getContentAsString();
        token = JsonPath.read(signedIn, "$.token");
        phone = server.phone("alice");
        other = server.phone("voicemail");
    }

    private int hangUp(String id) throws Exception {
        return api.perform(delete("/api/calls/" + id).header("Authorization", "Bearer " + token))
                .andReturn()
                .getResponse()
                .getStatus();
    }

    private String calls() throws Exception {
        return api.perform(get("/api/calls").header("Authorization", "Bearer " + token))
                .andReturn()
                .getResponse()
                .getContentAsString();
    }

    private String begin() throws Exception {
        String begun =
                api.perform(
                                post("/api/calls")
                                        .contentType("application/json")
                                        .content("{\"to\":\"voicemail\"}")
                                        .header("Authorization", "Bearer " + token))
                        .andReturn()
                        .getResponse()
                        .getContentAsString();
        return JsonPath.read(begun, "$.id");
    }

    @Test
    void aPageThatHangsUpWhileTheOtherSideIsInvitedLeavesItInPeace() throws Exception {
        phone.onCall(Call::answer);
        other.onCall(Call::ring);
        String id = begin();
        meanwhile.page(() -> hangUp(id));
        server.advance(SECOND);
        server.advance(SECOND);
        assertThat(calls()).contains("\"hung-up-by-page\"");
        assertThat(phone.lastCall().state()).isEqualTo(Call.State.ENDED);
        assertThat(other.calls())
                .as("either never called, or called no longer")
                .allMatch(call -> call.state() == Call.State.ENDED);
        assertThat(calls.open()).isZero();
        server.assertNothingLeft();
    }

    @Test
    void aPageThatHangsUpWhileThePhoneIsInvitedEndsThatCall() throws Exception {
        phone.onCall(Call::ring);
        meanwhile.page(() -> hangUp(JsonPath.read(calls(), "$[0].id")));
        begin();
        server.advance(SECOND);
        server.advance(SECOND);
        assertThat(calls()).contains("\"hung-up-by-page\"");
        assertThat(phone.calls()).allMatch(call -> call.state() == Call.State.ENDED);
        assertThat(calls.open()).isZero();
        server.assertNothingLeft();
    }
}
