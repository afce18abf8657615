package io.carillon.lab.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.lab.load.SimulatedLoad.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Registrations against a scripted registrar, under virtual time. */
class RegisterLoadTest {
    private static final List<RegisteredUser> USERS =
            List.of(new RegisteredUser("alice", "secret"), new RegisteredUser("bob", "hush"));

    private final SimulatedLoad load = new SimulatedLoad();
    private final List<String> requests = new ArrayList<>();

    private LoadCounts run(String challenge, int calls) {
        load.network.bind(
                SimulatedLoad.SERVER,
                (bytes, transport, from, to) -> {
                    String request = new String(bytes, US_ASCII);
                    requests.add(request);
                    byte[] answer =
                            request.contains("\r\nAuthorization: ")
                                    ? ScriptedAnswers.answer(request, "200 OK", "")
                                    : ScriptedAnswers.answer(
                                            request, "401 Unauthorized", challenge);
                    load.network.send(transport, to, from, answer);
                });
        load.register(Shape.of(10, calls), USERS);
        return load.finish();
    }

    @ParameterizedTest
    @ValueSource(strings = {"MD5", "SHA-256"})
    void aChallengeIsAnsweredInTheNextRequest(String algorithm) {
        LoadCounts counts =
                run(
                        "WWW-Authenticate: Digest realm=\"here\", nonce=\"abc\", qop=\"auth\", algorithm="
                                + algorithm
                                + "\r\n",
                        4);
        assertThat(counts.completed).isEqualTo(4);
        assertThat(counts.failures()).isEmpty();
        assertThat(requests).hasSize(8);
        assertThat(requests.get(0)).contains("CSeq: 1 REGISTER", "<sip:alice@");
        assertThat(requests.get(1))
                .contains("CSeq: 2 REGISTER", "username=\"alice\"", "algorithm=" + algorithm);
        assertThat(requests.get(2)).contains("<sip:bob@");
        assertThat(requests.get(4)).contains("<sip:alice@");
    }

    @Test
    void aChallengeThatNobodyUnderstandsIsAFailure() {
        LoadCounts counts = run("WWW-Authenticate: Token realm=\"here\"\r\n", 3);
        assertThat(counts.failures()).isEqualTo(Map.of("401", 3L));
    }

    @Test
    void aSecondRefusalIsAFailureAndNotALoop() {
        load.network.bind(
                SimulatedLoad.SERVER,
                (bytes, transport, from, to) ->
                        load.network.send(
                                transport,
                                to,
                                from,
                                ScriptedAnswers.answer(
                                        new String(bytes, US_ASCII),
                                        "401 Unauthorized",
                                        "WWW-Authenticate: Digest realm=\"here\", nonce=\"abc\"\r\n")));
        load.register(Shape.of(10, 2), USERS);
        assertThat(load.finish().failures()).isEqualTo(Map.of("401", 2L));
    }
}
