package io.carillon.fuzz;

import io.carillon.fuzz.call.ConversationTarget;
import io.carillon.fuzz.call.DialogMessagesTarget;
import io.carillon.fuzz.call.ProtectedDialogsTarget;
import io.carillon.fuzz.file.RouterFileTarget;
import io.carillon.fuzz.file.SipXmlTarget;
import io.carillon.fuzz.message.AddressTarget;
import io.carillon.fuzz.message.DatagramTarget;
import io.carillon.fuzz.message.DigestTarget;
import io.carillon.fuzz.message.HeadersTarget;
import io.carillon.fuzz.message.HidingTarget;
import io.carillon.fuzz.message.IdentityTarget;
import io.carillon.fuzz.message.StreamTarget;
import io.carillon.fuzz.message.UriTarget;
import io.carillon.fuzz.message.ValuesTarget;
import io.carillon.fuzz.message.ViaTarget;
import io.carillon.fuzz.net.DnsTarget;
import io.carillon.fuzz.net.StunTarget;
import io.carillon.fuzz.net.WebSocketTarget;
import io.carillon.fuzz.state.SessionTarget;
import io.carillon.fuzz.state.StateTarget;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** What is fuzzed, with the folders of this project whose files are further seeds. */
@SuppressWarnings("ImmutableEnumChecker") // methods without state, and unmodifiable lists
enum FuzzTarget {
    DATAGRAM(
            DatagramTarget.class,
            DatagramTarget::fuzzerTestOneInput,
            8_192,
            "sip/src/test/resources/rfc4475",
            "sip/src/test/resources/rfc5118"),
    STREAM(
            StreamTarget.class,
            StreamTarget::fuzzerTestOneInput,
            8_192,
            "sip/src/test/resources/rfc4475"),
    URI(UriTarget.class, UriTarget::fuzzerTestOneInput, 512),
    ADDRESS(AddressTarget.class, AddressTarget::fuzzerTestOneInput, 1_024),
    VIA(ViaTarget.class, ViaTarget::fuzzerTestOneInput, 512),
    VALUES(ValuesTarget.class, ValuesTarget::fuzzerTestOneInput, 256),
    DIGEST(DigestTarget.class, DigestTarget::fuzzerTestOneInput, 1_024),
    SIP_XML(SipXmlTarget.class, SipXmlTarget::fuzzerTestOneInput, 8_192),
    ROUTER_FILE(RouterFileTarget.class, RouterFileTarget::fuzzerTestOneInput, 2_048),
    STATE(StateTarget.class, StateTarget::fuzzerTestOneInput, 2_048),
    SESSION(SessionTarget.class, SessionTarget::fuzzerTestOneInput, 4_096),
    HEADERS(HeadersTarget.class, HeadersTarget::fuzzerTestOneInput, 512),
    IDENTITY(IdentityTarget.class, IdentityTarget::fuzzerTestOneInput, 2_048),
    HIDING(
            HidingTarget.class,
            HidingTarget::fuzzerTestOneInput,
            4_096,
            "sip/src/test/resources/rfc4475"),
    WEBSOCKET(WebSocketTarget.class, WebSocketTarget::fuzzerTestOneInput, 4_096),
    STUN(StunTarget.class, StunTarget::fuzzerTestOneInput, 256),
    DNS(DnsTarget.class, DnsTarget::fuzzerTestOneInput, 1_024),
    CONVERSATION(ConversationTarget.class, ConversationTarget::fuzzerTestOneInput, 4_096),
    DIALOG_MESSAGES(DialogMessagesTarget.class, DialogMessagesTarget::fuzzerTestOneInput, 512),
    PROTECTED_DIALOGS(
            ProtectedDialogsTarget.class, ProtectedDialogsTarget::fuzzerTestOneInput, 512);

    /** How much code an input goes through. */
    @SuppressWarnings("ImmutableEnumChecker") // unmodifiable lists
    enum Size {
        SMALL(
                // REGEX= of a router file is a pattern by design.
                "--disabled_hooks=com.code_intelligence.jazzer.sanitizers.RegexInjection"),
        /**
         * Looking at each comparison on the way would cost more than all of it. An input goes
         * through thousands of edges, and libFuzzer looks for each of them in its list of rare
         * ones, in which it leaves whatever up to 255 inputs reached: that alone took more time
         * than the server.
         */
        LARGE(
                "--trace=cov",
                "-entropic_feature_frequency_threshold=8",
                "--disabled_hooks=com.code_intelligence.jazzer.sanitizers.RegexInjection,"
                        + "com.code_intelligence.jazzer.runtime.TraceCmpHooks");

        private final List<String> options;

        Size(String... options) {
            this.options = List.of(options);
        }

        /** So many of some inputs are a large target's share. */
        long share(long inputs) {
            return this == LARGE ? Math.max(1, inputs / 10) : inputs;
        }

        /** What Jazzer is told. */
        List<String> options() {
            return options;
        }
    }

    private final Class<?> type;
    private final Consumer<byte[]> one;
    private final int longest;
    private final List<String> seeds;

    FuzzTarget(Class<?> type, Consumer<byte[]> one, int longest, String... seeds) {
        this.type = type;
        this.one = one;
        this.longest = longest;
        this.seeds = List.of(seeds);
    }

    /** The class that Jazzer calls. */
    String className() {
        return type.getName();
    }

    Size size() {
        return switch (this) {
            case CONVERSATION, DIALOG_MESSAGES, PROTECTED_DIALOGS -> Size.LARGE;
            default -> Size.SMALL;
        };
    }

    /** Tries one input. */
    void run(byte[] input) {
        one.accept(input);
    }

    /** Longest input in bytes. */
    int longest() {
        return longest;
    }

    /** Folders of seeds beside its corpus, below the project's. */
    List<String> seeds() {
        return seeds;
    }

    /** As in {@code --target sip-xml}. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
