package io.carillon.servlet.feature.proxy;

import io.carillon.servlet.kernel.ForwardedDialog;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.uri.Uri;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A {@link ProxiedDialog} to bytes and back; with the turn held. */
public final class ProxiedDialogBytes {
    private static final int MAX_ROUTES = 256;

    private ProxiedDialogBytes() {}

    static void write(ProxiedDialog dialog, StateWriter out) {
        out.putString(dialog.callId).putString(dialog.callerTag);
        out.putBoolean(dialog.supervised).putBoolean(dialog.call);
        out.putString(dialog.calleeTag());
        out.putString(text(dialog.callerTarget)).putString(text(dialog.calleeTarget));
        out.putVarint(
                !dialog.has(ProxiedDialog.CONFIRMED)
                        ? 0
                        : dialog.has(ProxiedDialog.ACKNOWLEDGED)
                                ? ProxiedDialog.ACKNOWLEDGED
                                : ProxiedDialog.CONFIRMED);
        writeRoutes(out, dialog.routesToCallee);
        writeRoutes(out, dialog.routesToCaller);
        out.putSigned(dialog.places.caller).putSigned(dialog.places.callee);
        ArrayList<String> early = dialog.early;
        out.putVarint(early == null ? 0 : early.size());
        for (int i = 0; early != null && i < early.size(); i++) {
            out.putString(early.get(i));
        }
        // What an older build wrote ends before this.
        WayBack.write(out, dialog.places.wayBack);
    }

    /** Gives each key by which the tables know that dialog. */
    public static void keys(ForwardedDialog forwarded, Consumer<DialogKey> each) {
        ProxiedDialog dialog = (ProxiedDialog) forwarded;
        DialogKey known = dialog.key;
        if (known != null) {
            each.accept(known);
        }
        ArrayList<String> early = dialog.early;
        for (int i = 0; early != null && i < early.size(); i++) {
            each.accept(dialog.key(early.get(i)));
        }
    }

    private static @Nullable String text(@Nullable Uri uri) {
        return uri == null ? null : uri.toString();
    }

    private static void writeRoutes(StateWriter out, List<NameAddress> routes) {
        out.putVarint(routes.size());
        for (int i = 0; i < routes.size(); i++) {
            out.putString(routes.get(i).toString());
        }
    }

    /**
     * Comes back from bytes; the tables know it again.
     *
     * @throws StateFormatException for bytes that are none of a dialog; the tables are as before
     */
    public static ProxiedDialog read(ServletSession session, StateReader in) {
        ProxiedDialog dialog =
                new ProxiedDialog(
                        session,
                        in.needString(),
                        in.needString(),
                        in.getBoolean(),
                        in.getBoolean());
        try {
            String calleeTag = in.getString();
            dialog.key = calleeTag == null ? null : dialog.key(calleeTag);
            dialog.callerTarget = uri(in.getString());
            dialog.calleeTarget = uri(in.getString());
            int how = in.getCount(ProxiedDialog.ACKNOWLEDGED);
            if (how >= ProxiedDialog.CONFIRMED) {
                dialog.came(ProxiedDialog.CONFIRMED);
            }
            if (how == ProxiedDialog.ACKNOWLEDGED) {
                dialog.came(ProxiedDialog.ACKNOWLEDGED);
            }
            dialog.routesToCallee = readRoutes(in);
            dialog.routesToCaller = readRoutes(in);
            dialog.places.caller = in.getSigned();
            dialog.places.callee = in.getSigned();
        } catch (SipParseException e) {
            throw new StateFormatException("an address of a proxied dialog", e);
        }
        // All of it is read before the tables know any of it: bytes may end too early.
        List<String> early = new ArrayList<>();
        for (int i = in.getCount(ProxiedDialog.MAX_FORKS); i > 0; i--) {
            early.add(in.needString());
        }
        dialog.places.wayBack = in.hasMore() ? WayBack.read(in) : null;
        for (String tag : early) {
            dialog.addEarly(tag);
            session.host().tables().addProxied(dialog.key(tag), session);
        }
        DialogKey known = dialog.key;
        if (known != null) {
            session.host().tables().addProxied(known, session);
        }
        return dialog;
    }

    private static @Nullable Uri uri(@Nullable String text) throws SipParseException {
        return text == null ? null : Uri.parse(text);
    }

    private static List<NameAddress> readRoutes(StateReader in) throws SipParseException {
        int count = in.getCount(MAX_ROUTES);
        List<NameAddress> routes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            routes.add(NameAddress.parse(in.needString()));
        }
        return List.copyOf(routes);
    }
}
