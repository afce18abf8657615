package io.carillon.servlet.proxy;
import io.carillon.servlet.message.*;
import io.carillon.sip.message.*;
import javax.servlet.sip.*;
public abstract class ServletProxy implements Proxy {
  public static ServletProxy of(ServletRequest r, UasTransaction s) { throw new UnsupportedOperationException(); }
  public void cancelledByCaller(SipRequest cancel) {}
}
