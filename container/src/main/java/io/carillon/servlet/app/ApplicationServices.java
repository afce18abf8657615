package io.carillon.servlet.app;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipSessionsUtil;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TimerService;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What the container gives one application: injected by {@code @Resource}, and shown as attributes
 * of its servlet context.
 *
 * @param outboundInterfaces the listening points
 * @param supported option tags, as {@code 100rel}
 * @param supportedRfcs numbers, as {@code 3261}
 * @param dataSource the server's database; null where there is none
 * @param records takes call detail records of its own; null where none are kept
 */
public record ApplicationServices(
        SipFactory sipFactory,
        TimerService timerService,
        SipSessionsUtil sipSessionsUtil,
        List<SipURI> outboundInterfaces,
        List<String> supported,
        List<String> supportedRfcs,
        @Nullable DataSource dataSource,
        @Nullable Consumer<Map<String, ?>> records) {

    /** Without a database, and without records. */
    public ApplicationServices(
            SipFactory sipFactory,
            TimerService timerService,
            SipSessionsUtil sipSessionsUtil,
            List<SipURI> outboundInterfaces,
            List<String> supported,
            List<String> supportedRfcs) {
        this(
                sipFactory,
                timerService,
                sipSessionsUtil,
                outboundInterfaces,
                supported,
                supportedRfcs,
                null,
                null);
    }

    public ApplicationServices {
        outboundInterfaces = List.copyOf(outboundInterfaces);
        supported = List.copyOf(supported);
        supportedRfcs = List.copyOf(supportedRfcs);
    }
}
