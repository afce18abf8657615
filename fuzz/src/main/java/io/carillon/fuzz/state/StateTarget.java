package io.carillon.fuzz.state;

import io.carillon.fuzz.check.Finding;
import io.carillon.servlet.bytes.AttributeCodec;
import io.carillon.sip.auth.DigestClient;
import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.dialog.Dialog;
import java.util.Arrays;

/**
 * State of a call that comes back from bytes: refused, or whole. The first byte says of what: a
 * dialog, the credentials of a client, attributes with the classes of an application.
 */
public final class StateTarget {
    private StateTarget() {}

    /** One input. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length == 0) {
            return;
        }
        StateReader in = new StateReader(Arrays.copyOfRange(data, 1, data.length));
        try {
            switch ((data[0] & 0xff) % 3) {
                case 0 -> dialog(in);
                case 1 -> client(in);
                default ->
                        new AttributeCodec(
                                        AttributeCodec.table(), StateTarget.class.getClassLoader())
                                .readAttributes(in);
            }
        } catch (StateFormatException refused) {
            // As it should be.
        }
    }

    private static void dialog(StateReader in) {
        Dialog dialog = Dialog.read(in);
        StateWriter first = new StateWriter();
        dialog.write(first);
        StateWriter second = new StateWriter();
        Dialog.read(new StateReader(first.toByteArray())).write(second);
        if (!Arrays.equals(first.toByteArray(), second.toByteArray())) {
            throw new Finding("a dialog changes on its way through bytes");
        }
    }

    private static void client(StateReader in) {
        DigestClient client = DigestClient.read(in);
        client.answer("INVITE", "sip:a@b", new byte[0], "c0ffee");
    }
}
