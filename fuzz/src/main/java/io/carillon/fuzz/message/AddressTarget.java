package io.carillon.fuzz.message;

import io.carillon.fuzz.check.Finding;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.HeaderElements;
import io.carillon.sip.header.NameAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** From, To, Contact, Route: refused, or the same when printed and read once more. */
public final class AddressTarget {
    private AddressTarget() {}

    /** One input. */
    public static void fuzzerTestOneInput(byte[] data) {
        HeaderElements.split(data, 0, data.length, new ArrayList<>());
        List<NameAddress> list;
        try {
            list = NameAddress.parseList(data, 0, data.length);
        } catch (SipParseException refused) {
            return;
        }
        for (NameAddress address : list) {
            look(address);
        }
    }

    private static void look(NameAddress address) {
        address.displayName();
        address.tag();
        String printed = address.toString();
        try {
            NameAddress again = NameAddress.parse(printed);
            Finding.unlessEqual("once more", again, address);
            Finding.unlessEqual("printed once more", again.toString(), printed);
            if (!address.wildcard()) {
                NameAddress tagged = NameAddress.parse(address.withTag("f1").toString());
                Finding.unlessEqual("tag", tagged.tag(), "f1");
            }
        } catch (SipParseException e) {
            throw new Finding(
                    "printed it cannot be read: "
                            + printed
                            + " ("
                            + printed.getBytes(StandardCharsets.UTF_8).length
                            + " bytes): "
                            + e.getMessage());
        }
    }
}
