package io.carillon.sip.dialog;

import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.header.CSeq;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.Methods;
import io.carillon.sip.uri.Uri;
import java.util.ArrayList;
import java.util.List;

/** The byte form of a {@link Dialog}. Stateless. */
final class DialogBytes {
    /** Since 2 it says which reliable responses were acknowledged. */
    private static final int VERSION = 2;

    private static final int MAX_ROUTES = 256;

    private DialogBytes() {}

    static void write(Dialog dialog, StateWriter out) {
        int section = out.begin(VERSION);
        out.putString(dialog.callId()).putString(dialog.localTag()).putString(dialog.remoteTag());
        out.putString(dialog.local().toString())
                .putString(dialog.remote().toString())
                .putString(dialog.remoteTarget().toString());
        out.putBoolean(dialog.callIdOwner()).putBoolean(dialog.secure());
        out.putVarint(dialog.state().code);
        out.putSigned(dialog.localCSeq()).putSigned(dialog.remoteCSeq());
        List<NameAddress> routes = dialog.routeSet();
        out.putVarint(routes.size());
        for (NameAddress route : routes) {
            out.putString(route.toString());
        }
        dialog.exchanges().write(out);
        dialog.exchanges().writeMore(out);
        out.end(section);
    }

    static Dialog read(StateReader in) {
        int version = in.begin();
        try {
            DialogKey key = new DialogKey(in.needString(), in.needString(), in.needString());
            NameAddress local = NameAddress.parse(in.needString());
            NameAddress remote = NameAddress.parse(in.needString());
            Uri target = Uri.parse(in.needString());
            boolean callIdOwner = in.getBoolean();
            boolean secure = in.getBoolean();
            Dialog.State state = Dialog.State.of(in.getCount(Dialog.State.TERMINATED.code));
            long localCSeq = in.getSigned();
            long remoteCSeq = in.getSigned();
            int count = in.getCount(MAX_ROUTES);
            List<NameAddress> routes = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                routes.add(NameAddress.parse(in.needString()));
            }
            Dialog dialog =
                    new Dialog(
                            key,
                            local,
                            remote,
                            List.copyOf(routes),
                            target,
                            callIdOwner,
                            secure,
                            state);
            dialog.numbers(localCSeq, remoteCSeq);
            dialog.exchanges().read(in);
            dialog.exchanges().readMore(in, version);
            in.end();
            needUsable(dialog);
            return dialog;
        } catch (SipParseException e) {
            throw new StateFormatException("a dialog's address", e);
        }
    }

    /** What no request can be made of is found out here, not when its call has to be released. */
    private static void needUsable(Dialog dialog) {
        long own = dialog.localCSeq();
        long peer = dialog.remoteCSeq();
        if (own < 0 || own >= CSeq.MAX || peer < -1 || peer > CSeq.MAX) {
            throw new StateFormatException("a dialog's CSeq: " + own + ", " + peer);
        }
        try {
            dialog.draft(Methods.ACK, own);
        } catch (IllegalArgumentException e) {
            throw new StateFormatException("a dialog's identifiers", e);
        }
    }
}
