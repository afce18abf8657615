package io.carillon.fuzz;

import io.carillon.servlet.app.SipXmlTarget;
import io.carillon.servlet.route.RouterFileTarget;
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
    STATE(StateTarget.class, StateTarget::fuzzerTestOneInput, 2_048);

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
