package io.carillon.bridge.mobicents;

import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletResponse;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipResponse;
import org.jspecify.annotations.Nullable;
import org.mobicents.javax.servlet.sip.SipServletResponseExt;

/** A response with Mobicents' extensions. Owner: the turn of its application session. */
final class ExtendedResponse extends ServletResponse implements SipServletResponseExt {
    private boolean orphan;

    ExtendedResponse(
            ServletRequest request, ServletSession session, MessageDraft draft, int status) {
        super(request, session, draft, status);
    }

    ExtendedResponse(
            ServletRequest request,
            ServletSession session,
            SipResponse received,
            @Nullable Hop source) {
        super(request, session, received, source);
    }

    @Override
    public boolean isOrphan() {
        return orphan;
    }

    @Override
    public void setOrphan(boolean value) {
        orphan = value;
    }
}
